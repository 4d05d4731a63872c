# Finds MLIR 22 and makes its targets link LLVM statically.
#
# MLIR comes from MLIR_DIR, or else from the Python packages xtc-mlir-dev and
# xtc-llvm-dev of the interpreter in use.

if(NOT MLIR_DIR AND NOT DEFINED ENV{MLIR_DIR})
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  execute_process(
    COMMAND ${Python3_EXECUTABLE} -c
      "import importlib.util as u; print(u.find_spec('mlir').submodule_search_locations[0])"
    OUTPUT_VARIABLE _mlir_package OUTPUT_STRIP_TRAILING_WHITESPACE
    RESULT_VARIABLE _mlir_missing ERROR_QUIET)
  if(_mlir_missing)
    message(FATAL_ERROR
      "MLIR 22 was not found. Set MLIR_DIR, or install the build requirements "
      "listed in pyproject.toml into this Python.")
  endif()
  set(MLIR_DIR "${_mlir_package}/lib/cmake/mlir" CACHE PATH "")
  get_filename_component(_site "${_mlir_package}" DIRECTORY)
  set(LLVM_DIR "${_site}/llvm/lib/cmake/llvm" CACHE PATH "")
endif()

# The version file accepts exact matches only, so ask for none and compare.
find_package(MLIR REQUIRED CONFIG)
if(NOT LLVM_VERSION_MAJOR EQUAL 22)
  message(FATAL_ERROR "TLX needs MLIR 22, but ${MLIR_DIR} has ${LLVM_PACKAGE_VERSION}")
endif()
list(APPEND CMAKE_MODULE_PATH "${MLIR_CMAKE_DIR}" "${LLVM_CMAKE_DIR}")

# Packages built with LLVM_LINK_LLVM_DYLIB make every MLIR library link
# libLLVM.so. An extension module that is to be loaded beside another LLVM must
# not: link the static components instead.
set(LLVM_LINK_LLVM_DYLIB OFF)
set(_tlx_static_llvm "LLVMAsmParser;LLVMCore;LLVMRemarks;LLVMBinaryFormat;LLVMSupport")
foreach(_lib IN LISTS MLIR_EXPORTED_TARGETS)
  if(TARGET ${_lib})
    get_target_property(_links ${_lib} INTERFACE_LINK_LIBRARIES)
    if("LLVM" IN_LIST _links)
      list(REMOVE_ITEM _links "LLVM")
      list(APPEND _links ${_tlx_static_llvm})
      set_target_properties(${_lib} PROPERTIES INTERFACE_LINK_LIBRARIES "${_links}")
    endif()
  endif()
endforeach()
