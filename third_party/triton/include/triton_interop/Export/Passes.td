//===- Passes.td - Handing IR to an installed Triton ----- -*- tablegen -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEROP_EXPORT_PASSES_TD
#define TRITON_INTEROP_EXPORT_PASSES_TD

include "mlir/Pass/PassBase.td"

def TritonLegalizeVersion
    : Pass<"triton-legalize-version", "::mlir::ModuleOp"> {
  let summary = "Bring IR into the form that one Triton release parses";
  let description = [{
    Releases of Triton spell a few attributes and types differently and know
    different operations. This pass brings a module into the form of one of
    them.

    | Spelling                   | 3.8              | 3.9                      |
    |----------------------------|------------------|--------------------------|
    | caching of memory accesses | `cache`, `evict` | `cachePolicy`            |
    | pointer to constant memory | `!tt.ptr<T, 4>`  | `!tt.ptr<T, "constant">` |
    | columns of tensor memory   | `N`              | `offset`, `dim`          |

    - Input: a module of `tt`, `ttg`, `ttng` and upstream operations.
    - Output: the same without attributes whose name starts with `tlx.`, which
      no release knows.
    - Fails if an operation of another dialect of ours is left, or if an
      operation or an attribute is used that the release does not have.

    Before:

    ```mlir
    tt.func @load(%p: !tt.ptr<f32>) {
      %x = tt.load %p cacheModifier = cg evictionPolicy = evict_last
          : !tt.ptr<f32>
      tt.return
    }
    ```

    After `--triton-legalize-version="version=3.9"`:

    ```mlir
    tt.func @load(%p: !tt.ptr<f32>) {
      %x = tt.load %p {cachePolicy = #tt.cache_policy<cache_modifier = cg,
          eviction_policy = evict_last>} : !tt.ptr<f32>
      tt.return
    }
    ```
  }];
  let options = [
    Option<"version", "version", "std::string", /*default=*/"",
           "Release of Triton as MAJOR.MINOR, such as 3.9.">,
  ];
  let dependentDialects = ["::mlir::tt::TTDialect"];
}

#endif // TRITON_INTEROP_EXPORT_PASSES_TD
