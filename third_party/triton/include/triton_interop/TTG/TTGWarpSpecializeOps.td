//===- TTGWarpSpecializeOps.td - Warp specialization ----- -*- tablegen -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEROP_TTG_TTGWARPSPECIALIZEOPS_TD
#define TRITON_INTEROP_TTG_TTGWARPSPECIALIZEOPS_TD

include "mlir/Interfaces/ControlFlowInterfaces.td"
include "triton_interop/TTG/TTGOpBase.td"

//===----------------------------------------------------------------------===//
// WarpSpecializeOp
//===----------------------------------------------------------------------===//

def TTG_WarpSpecializeOp : TTG_Op<"warp_specialize", [
    RecursiveMemoryEffects,
    RecursivelySpeculatable
  ]> {
  let summary = "Warps run different regions at the same time";
  let description = [{
    The warps of the function run the default region, extra warps one partition
    each. The op ends when all have ended. Partitions see no outer values but
    the captures, which they get as arguments. The arrays have an entry for each
    partition; `actualRegisters` begins with one for the default region.

    ```mlir
    tt.func @f(%x: i32) {
      ttg.warp_specialize(%x) attributes {requestedRegisters = array<i32: 24>}
      default {
        ttg.warp_yield
      }
      partition0(%y: i32) num_warps(4) {
        ttg.warp_return
      } : (i32) -> ()
      tt.return
    }
    ```
  }];
  let arguments = (ins
    DenseI32ArrayAttr:$partitionNumWarps,
    OptionalAttr<DenseI32ArrayAttr>:$warpGroupStartIds,
    OptionalAttr<DenseI32ArrayAttr>:$requestedRegisters,
    OptionalAttr<DenseI32ArrayAttr>:$actualRegisters
  );
  let results = (outs Variadic<AnyType>:$defaultPassthrough);
  let regions = (region
    MinSizedRegion<1>:$defaultRegion,
    SizedRegion<1>:$partitionOpHolder
  );
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The op that holds the partitions.
    WarpSpecializePartitionsOp getPartitionOp();
    ::mlir::MutableArrayRef<::mlir::Region> getPartitionRegions();
    ::mlir::OperandRange getExplicitCaptures();
  }];
  let hasCustomAssemblyFormat = 1;
}

//===----------------------------------------------------------------------===//
// WarpSpecializePartitionsOp
//===----------------------------------------------------------------------===//

def TTG_WarpSpecializePartitionsOp : TTG_Op<"warp_specialize.partitions", [
    HasParent<"WarpSpecializeOp">,
    IsolatedFromAbove,
    RecursiveMemoryEffects,
    RecursivelySpeculatable,
    Terminator
  ]> {
  let summary = "The partitions of `ttg.warp_specialize`";
  let description = [{
    ```mlir
    tt.func @f(%x: i32) {
      ttg.warp_specialize(%x) attributes {requestedRegisters = array<i32: 24>}
      default {
        ttg.warp_yield
      }
      partition0(%y: i32) num_warps(4) {
        ttg.warp_return
      } : (i32) -> ()
      tt.return
    }
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$explicitCaptures);
  let regions = (region VariadicRegion<MinSizedRegion<1>>:$partitionRegions);
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// WarpYieldOp
//===----------------------------------------------------------------------===//

def TTG_WarpYieldOp : TTG_Op<"warp_yield", [
    HasParent<"WarpSpecializeOp">,
    Pure,
    ReturnLike,
    Terminator
  ]> {
  let summary = "End of the default region";
  let description = [{
    ```mlir
    tt.func @f(%x: i32) {
      ttg.warp_specialize(%x) attributes {requestedRegisters = array<i32: 24>}
      default {
        ttg.warp_yield
      }
      partition0(%y: i32) num_warps(4) {
        ttg.warp_return
      } : (i32) -> ()
      tt.return
    }
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
  let hasVerifier = 1;
  let builders = [OpBuilder<(ins), [{
    build($_builder, $_state, ::mlir::ValueRange());
  }]>];
}

//===----------------------------------------------------------------------===//
// WarpReturnOp
//===----------------------------------------------------------------------===//

def TTG_WarpReturnOp : TTG_Op<"warp_return", [
    HasParent<"WarpSpecializePartitionsOp">,
    Pure,
    ReturnLike,
    Terminator
  ]> {
  let summary = "End of a partition";
  let description = [{
    ```mlir
    tt.func @f(%x: i32) {
      ttg.warp_specialize(%x) attributes {requestedRegisters = array<i32: 24>}
      default {
        ttg.warp_yield
      }
      partition0(%y: i32) num_warps(4) {
        ttg.warp_return
      } : (i32) -> ()
      tt.return
    }
    ```
  }];
  let assemblyFormat = "attr-dict";
}

#endif // TRITON_INTEROP_TTG_TTGWARPSPECIALIZEOPS_TD
