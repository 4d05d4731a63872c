//===- TTFunctionOps.td - Functions and the launch grid -- -*- tablegen -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEROP_TT_TTFUNCTIONOPS_TD
#define TRITON_INTEROP_TT_TTFUNCTIONOPS_TD

include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/CallInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "triton_interop/TT/TTOpBase.td"

//===----------------------------------------------------------------------===//
// FuncOp
//===----------------------------------------------------------------------===//

def TT_FuncOp : TT_Op<"func", [
    AffineScope,
    AutomaticAllocationScope,
    FunctionOpInterface,
    IsolatedFromAbove
  ]> {
  let summary = "Function";
  let description = [{
    A kernel (visibility `public`) or a device function. The attribute
    `noinline` keeps calls of it.

    ```mlir
    tt.func public @add_one(%x: i32 {tt.divisibility = 16 : i32}) -> i32 {
      %one = arith.constant 1 : i32
      %y = arith.addi %x, %one : i32
      tt.return %y : i32
    }
    ```
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    TypeAttrOf<FunctionType>:$function_type,
    OptionalAttr<StrAttr>:$sym_visibility,
    OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs
  );
  let regions = (region AnyRegion:$body);
  let builders = [
    OpBuilder<(ins "::llvm::StringRef":$name, "::mlir::FunctionType":$type,
        CArg<"::llvm::ArrayRef<::mlir::NamedAttribute>", "{}">:$attrs)>
  ];
  let extraClassDeclaration = [{
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() {
      return getFunctionType().getInputs();
    }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() {
      return getFunctionType().getResults();
    }
    ::mlir::Region *getCallableRegion() {
      return isExternal() ? nullptr : &getBody();
    }
    /// Whether calls of this function must stay.
    bool isNoInline();
  }];
  let hasCustomAssemblyFormat = 1;
}

//===----------------------------------------------------------------------===//
// CallOp
//===----------------------------------------------------------------------===//

def TT_CallOp : TT_Op<"call", [
    CallOpInterface,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>
  ]> {
  let summary = "Call of a function";
  let description = [{
    ```mlir
    tt.func private @g(i32) -> i32
    tt.func @f(%x: i32) {
      %y = tt.call @g(%x) : (i32) -> i32
      tt.return
    }
    ```
  }];
  let arguments = (ins
    FlatSymbolRefAttr:$callee,
    Variadic<AnyType>:$operands,
    OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs
  );
  let results = (outs Variadic<AnyType>);
  let assemblyFormat = [{
    $callee `(` $operands `)` attr-dict `:` functional-type($operands, results)
  }];
  let builders = [
    OpBuilder<(ins "::mlir::tt::FuncOp":$callee,
        "::mlir::ValueRange":$operands)>
  ];
  let extraClassDeclaration = [{
    ::mlir::Operation::operand_range getArgOperands() { return getOperands(); }
    ::mlir::MutableOperandRange getArgOperandsMutable() {
      return getOperandsMutable();
    }
    ::mlir::CallInterfaceCallable getCallableForCallee() {
      return getCalleeAttr();
    }
    void setCalleeFromCallable(::mlir::CallInterfaceCallable callee) {
      setCalleeAttr(::llvm::cast<::mlir::FlatSymbolRefAttr>(
          ::llvm::cast<::mlir::SymbolRefAttr>(callee)));
    }
  }];
}

//===----------------------------------------------------------------------===//
// ReturnOp
//===----------------------------------------------------------------------===//

def TT_ReturnOp : TT_Op<"return", [
    HasParent<"FuncOp">,
    Pure,
    ReturnLike,
    Terminator
  ]> {
  let summary = "End of a function";
  let description = [{
    ```mlir
    tt.func @f(%x: i32) -> i32 {
      tt.return %x : i32
    }
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$srcs);
  let assemblyFormat = "attr-dict ($srcs^ `:` type($srcs))?";
  let hasVerifier = 1;
  let builders = [OpBuilder<(ins), [{
    build($_builder, $_state, ::mlir::ValueRange());
  }]>];
}

//===----------------------------------------------------------------------===//
// GetProgramIdOp
//===----------------------------------------------------------------------===//

def TT_GetProgramIdOp : TT_Op<"get_program_id", [Pure]> {
  let summary = "Position of this program in the launch grid";
  let description = [{
    ```mlir
    tt.func @f() {
      %x = tt.get_program_id y : i32
      tt.return
    }
    ```
  }];
  let arguments = (ins TT_ProgramIDDim:$axis);
  let results = (outs I32:$result);
  let assemblyFormat = "$axis attr-dict `:` type($result)";
}

//===----------------------------------------------------------------------===//
// GetNumProgramsOp
//===----------------------------------------------------------------------===//

def TT_GetNumProgramsOp : TT_Op<"get_num_programs", [Pure]> {
  let summary = "Extent of the launch grid";
  let description = [{
    ```mlir
    tt.func @f() {
      %x = tt.get_num_programs y : i32
      tt.return
    }
    ```
  }];
  let arguments = (ins TT_ProgramIDDim:$axis);
  let results = (outs I32:$result);
  let assemblyFormat = "$axis attr-dict `:` type($result)";
}

//===----------------------------------------------------------------------===//
// GridDependencyWaitOp
//===----------------------------------------------------------------------===//

def TT_GridDependencyWaitOp : TT_Op<"grid_dependency_wait", [
    MemoryEffects<[MemRead<TT_GlobalMemory>, MemWrite<TT_GlobalMemory>]>
  ]> {
  let summary = "Wait for the grids that this one depends on";
  let description = [{
    Triton 3.9 and newer. Memory that those grids wrote is visible afterwards.

    ```mlir
    tt.func @f() {
      tt.grid_dependency_wait
      tt.return
    }
    ```
  }];
  let assemblyFormat = "attr-dict";
}

//===----------------------------------------------------------------------===//
// GridDependencyLaunchDependentsOp
//===----------------------------------------------------------------------===//

def TT_GridDependencyLaunchDependentsOp
    : TT_Op<"grid_dependency_launch_dependents", [
    MemoryEffects<[MemRead<TT_GlobalMemory>, MemWrite<TT_GlobalMemory>]>
  ]> {
  let summary = "Let the grids start that depend on this one";
  let description = [{
    Triton 3.9 and newer.

    ```mlir
    tt.func @f() {
      tt.grid_dependency_launch_dependents
      tt.return
    }
    ```
  }];
  let assemblyFormat = "attr-dict";
}

//===----------------------------------------------------------------------===//
// PrintOp
//===----------------------------------------------------------------------===//

def TT_PrintOp : TT_Op<"print", [MemoryEffects<[MemWrite<TT_GlobalMemory>]>]> {
  let summary = "Print values from the device";
  let description = [{
    Operands flagged in `isSigned` are printed as signed integers, all of them
    in base 16 if `hex`.

    ```mlir
    tt.func @f(%x: i32) {
      tt.print "x" {hex = false, isSigned = array<i32: 1>} : %x : i32
      tt.return
    }
    ```
  }];
  let arguments = (ins
    StrAttr:$prefix,
    BoolAttr:$hex,
    Variadic<TT_ScalarOrTensor>:$args,
    DenseI32ArrayAttr:$isSigned
  );
  let assemblyFormat = "$prefix attr-dict (`:` $args^ `:` type($args))?";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// AssertOp
//===----------------------------------------------------------------------===//

def TT_AssertOp : TT_Op<"assert", [
    MemoryEffects<[MemWrite<TT_GlobalMemory>]>
  ]> {
  let summary = "Stop the kernel unless a condition holds";
  let description = [{
    ```mlir
    tt.func @f(%ok: i1) {
      tt.assert %ok, "index out of range" : i1
      tt.return
    }
    ```
  }];
  let arguments = (ins TT_BoolLike:$condition, StrAttr:$message);
  let assemblyFormat = [{
    $condition `,` $message attr-dict `:` type($condition)
  }];
}

#endif // TRITON_INTEROP_TT_TTFUNCTIONOPS_TD
