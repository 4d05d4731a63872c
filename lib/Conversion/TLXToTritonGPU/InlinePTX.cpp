//===- InlinePTX.cpp - PTX for what Triton has no operation for -----------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "Conversion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mlir::tlx;

static constexpr unsigned kGlobalSpace = 1;
static constexpr unsigned kSharedSpace = 3;

Value tlx::emitPTX(RewriterBase &rewriter, Location loc, StringRef ptx,
                   StringRef constraints, ValueRange operands, Type result) {
  std::string all = constraints.str();
  all += all.empty() ? "~{memory}" : ",~{memory}";
  auto op = LLVM::InlineAsmOp::create(
      rewriter, loc, result ? TypeRange(result) : TypeRange(), operands, ptx,
      all, /*has_side_effects=*/true, /*is_align_stack=*/false,
      LLVM::tailcallkind::TailCallKind::None,
      LLVM::AsmDialectAttr::get(rewriter.getContext(),
                                LLVM::AsmDialect::AD_ATT),
      /*operand_attrs=*/ArrayAttr());
  return result ? op.getResult(0) : Value();
}

/// Views a value of a Triton type as the LLVM value that it will become.
static Value castTo(RewriterBase &rewriter, Location loc, Type type,
                    Value value) {
  return UnrealizedConversionCastOp::create(rewriter, loc, type, value)
      .getResult(0);
}

/// The bytes between the base address of a slice and its first element. Its
/// rows are those of the buffer, one after the other.
static Value getSliceOffset(RewriterBase &rewriter, Location loc,
                            ttg::MemDescType type, Value fields) {
  int64_t stride = type.getElementType().getIntOrFloatBitWidth() / 8;
  ArrayRef<int64_t> extents =
      type.getAllocShape().take_back(type.getShape().size());
  Value offset = arith::ConstantIntOp::create(rewriter, loc, 0, 32);
  for (int64_t dim = extents.size() - 1; dim >= 0; --dim) {
    Value index = LLVM::ExtractValueOp::create(rewriter, loc, fields,
                                               ArrayRef<int64_t>{dim + 1});
    Value bytes = arith::MulIOp::create(
        rewriter, loc, index,
        arith::ConstantIntOp::create(rewriter, loc, stride, 32));
    offset = arith::AddIOp::create(rewriter, loc, offset, bytes);
    stride *= extents[dim];
  }
  return offset;
}

Value tlx::getSharedAddress(RewriterBase &rewriter, Location loc,
                            Value memdesc) {
  MLIRContext *context = rewriter.getContext();
  auto type = cast<ttg::MemDescType>(memdesc.getType());
  // A memdesc becomes its base address and one offset for each dimension.
  SmallVector<Type> fields(type.getShape().size() + 1, rewriter.getI32Type());
  fields[0] = LLVM::LLVMPointerType::get(context, kSharedSpace);
  Value fieldValues =
      castTo(rewriter, loc, LLVM::LLVMStructType::getLiteral(context, fields),
             memdesc);
  Value base = LLVM::ExtractValueOp::create(rewriter, loc, fieldValues,
                                            ArrayRef<int64_t>{0});
  if (type.getAllocShape().take_back(type.getShape().size()) !=
      type.getShape()) {
    Value offset = getSliceOffset(rewriter, loc, type, fieldValues);
    base = LLVM::GEPOp::create(rewriter, loc, fields[0], rewriter.getI8Type(),
                               base, LLVM::GEPArg(offset));
  }
  return LLVM::PtrToIntOp::create(rewriter, loc, rewriter.getI32Type(), base);
}

Value tlx::getGlobalAddress(RewriterBase &rewriter, Location loc,
                            Value pointer) {
  auto llvmPointer =
      LLVM::LLVMPointerType::get(rewriter.getContext(), kGlobalSpace);
  Value address = castTo(rewriter, loc, llvmPointer, pointer);
  return LLVM::PtrToIntOp::create(rewriter, loc, rewriter.getI64Type(),
                                  address);
}

Value tlx::getDescriptorAddress(RewriterBase &rewriter, Location loc,
                                Value desc) {
  Value pointer = castTo(
      rewriter, loc, LLVM::LLVMPointerType::get(rewriter.getContext()), desc);
  return LLVM::PtrToIntOp::create(rewriter, loc, rewriter.getI64Type(),
                                  pointer);
}

Value tlx::isFirstThread(RewriterBase &rewriter, Location loc, Value pred) {
  Value lane =
      NVVM::LaneIdOp::create(rewriter, loc, rewriter.getI32Type(), nullptr);
  Value warp = ttg::WarpIdOp::create(rewriter, loc);
  Value zero = arith::ConstantIntOp::create(rewriter, loc, 0, 32);
  Value either = arith::OrIOp::create(rewriter, loc, lane, warp);
  Value first = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq,
                                      either, zero);
  return pred ? arith::AndIOp::create(rewriter, loc, first, pred).getResult()
              : first;
}
