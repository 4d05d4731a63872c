//===- AssignLayoutsBuffers.cpp - Decide on the layouts of buffers --------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//
//
// All views of an allocation that show the same elements form a family: they
// have one layout, up to the order of dimensions. What each use demands is
// turned into the order of the allocation, where the demands must agree.
//
//===----------------------------------------------------------------------===//

#include "AssignLayouts.h"

#include "tlx/Analysis/SharedLayouts.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tlx;
using namespace mlir::tlx::layouts;

using Order = SmallVector<int32_t>;

namespace {
/// What one use demands of the layout of a family.
struct Demand {
  Operation *op = nullptr;
  /// What the use is, for messages.
  StringRef use;
  /// Whether it has to be a tile as TMA and wgmma know them, or rather
  /// consecutive elements.
  std::optional<bool> tiled;
  /// Which dimension has to be contiguous, if one has to.
  std::optional<unsigned> contiguous;
  /// The one swizzle that is possible, if there is just one.
  std::optional<unsigned> swizzle;
};

/// A member of a family: dimension `i` of the value is dimension `order[i]` of
/// the family.
struct Member {
  Value value;
  Order order;
};

struct Family {
  SmallVector<Member> members;
  SmallVector<Demand> demands;
  /// The layout that the user has set, in the order of the family.
  Attribute pin;
  Value pinned;
};

class BufferAssigner {
public:
  explicit BufferAssigner(ModuleOp module) : module(module) {}
  LogicalResult run();

private:
  void collectEdges();
  LogicalResult collectFamily(Value root, Family &family);
  LogicalResult addPin(Family &family, const Member &member);
  void addDemands(Family &family, const Member &member);
  FailureOr<Attribute> decide(const Family &family);
  LogicalResult checkPin(const Family &family);
  LogicalResult assign(const Family &family, Attribute layout);

  ModuleOp module;
  /// Values with the same elements; the order leads from the first to the
  /// second.
  llvm::DenseMap<Value, SmallVector<Member>> neighbors;
  llvm::DenseMap<Value, Order> visited;
  /// Position of ops in the program, to name uses in the order of the source.
  llvm::DenseMap<Operation *, size_t> positions;
  /// Layouts of reshapes and entries, which follow from their sources.
  llvm::DenseMap<Value, Attribute> reshaped;
};
} // namespace

static bool isBuffer(Value value) { return isa<BufferType>(value.getType()); }

static BufferType getType(Value value) {
  return cast<BufferType>(value.getType());
}

static Order getIdentity(Value buffer) {
  return llvm::to_vector(llvm::seq<int32_t>(0, getType(buffer).getRank()));
}

/// The order of `second` after `first`.
static Order compose(ArrayRef<int32_t> first, ArrayRef<int32_t> second) {
  return llvm::map_to_vector(second, [&](int32_t dim) { return first[dim]; });
}

/// Whether the bytes of both hold elements of one width in rows of one length,
/// so that one layout describes both.
static bool sharesLayout(BufferType a, BufferType b) {
  return a.getShape() == b.getShape() &&
         a.getElementType().getIntOrFloatBitWidth() ==
             b.getElementType().getIntOrFloatBitWidth();
}

//===----------------------------------------------------------------------===//
// Families
//===----------------------------------------------------------------------===//

void BufferAssigner::collectEdges() {
  auto link = [&](Value a, Value b, const Order &order) {
    neighbors[a].push_back({b, order});
    neighbors[b].push_back({a, invertOrder(order)});
  };
  forEachFlowEdge(module, [&](OpOperand &source, Value target) {
    if (isBuffer(target))
      link(source.get(), target, getIdentity(target));
  });
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    positions.try_emplace(op, positions.size());
    llvm::TypeSwitch<Operation *>(op)
        .Case<LocalViewOp, LocalSliceOp>([&](auto view) {
          link(view.getSource(), view.getResult(),
               getIdentity(view.getResult()));
        })
        .Case([&](LocalTransOp trans) {
          link(trans.getSource(), trans.getResult(), Order(trans.getOrder()));
        })
        .Case([&](LocalReinterpretOp view) {
          if (sharesLayout(getType(view.getSource()),
                           getType(view.getResult())))
            link(view.getSource(), view.getResult(),
                 getIdentity(view.getResult()));
        });
  });
}

LogicalResult BufferAssigner::collectFamily(Value root, Family &family) {
  if ((family.pin = reshaped.lookup(root)))
    family.pinned = root;
  family.members.push_back({root, getIdentity(root)});
  visited[root] = getIdentity(root);
  for (size_t i = 0; i < family.members.size(); ++i) {
    Member member = family.members[i];
    if (failed(addPin(family, member)))
      return failure();
    addDemands(family, member);
    for (const Member &neighbor : neighbors.lookup(member.value)) {
      Order order = compose(member.order, neighbor.order);
      auto [it, inserted] = visited.try_emplace(neighbor.value, order);
      if (inserted) {
        family.members.push_back({neighbor.value, order});
      } else if (it->second != order) {
        InFlightDiagnostic error =
            emitError(neighbor.value.getLoc())
            << "is both a buffer and its transposed view, so that no layout "
               "fits; copy one of them into a buffer of its own";
        error.attachNote(root.getLoc()) << "the buffer is allocated here";
        return error;
      }
    }
  }
  llvm::stable_sort(family.demands, [&](const Demand &a, const Demand &b) {
    return positions.lookup(a.op) < positions.lookup(b.op);
  });
  return success();
}

LogicalResult BufferAssigner::addPin(Family &family, const Member &member) {
  Attribute layout = getType(member.value).getLayout();
  if (!layout)
    return success();
  Attribute pin = permuteShared(layout, invertOrder(member.order));
  if (!pin)
    pin = layout;
  if (!family.pin) {
    family.pin = pin;
    family.pinned = member.value;
    return success();
  }
  if (family.pin == pin)
    return success();
  InFlightDiagnostic error =
      emitError(member.value.getLoc())
      << "asks for the layout " << layout
      << ", but the bytes that it views have another layout";
  error.attachNote(family.pinned.getLoc())
      << "the layout " << family.pin << " is asked for here";
  return error;
}

/// Whether a slice cuts the pattern of a swizzled tile, which is 8 rows. If
/// `transposed`, rows run along the last dimension but one.
static bool cutsPattern(LocalSliceOp slice, bool transposed) {
  constexpr int64_t patternRows = 8;
  ArrayRef<int64_t> source = getType(slice.getSource()).getShape();
  ArrayRef<int64_t> result = getType(slice.getResult()).getShape();
  int64_t rank = source.size(), column = rank - (transposed ? 2 : 1), rows = 1;
  for (int64_t dim = rank - 1; dim >= 0; --dim) {
    if (dim == column)
      continue;
    if (result[dim] < source[dim] && rows * result[dim] < patternRows)
      return true;
    rows *= source[dim];
  }
  return false;
}

/// Whether a view has no form if its buffer is a swizzled tile with rows along
/// the last dimension of the family.
static bool cannotBeTiled(const Member &member) {
  int64_t rank = getType(member.value).getRank();
  bool permuted = member.order != getIdentity(member.value);
  if (rank > 2 && permuted)
    return true;
  auto slice = member.value.getDefiningOp<LocalSliceOp>();
  return slice && cutsPattern(slice, /*transposed=*/permuted);
}

/// Whether the entries of the first dimension are tiles themselves, one after
/// the other, if the buffer is a tile: they hold whole patterns, and no TMA
/// message covers a part of each.
static bool hasTiledEntries(BufferType type) {
  constexpr int64_t patternRows = 8, maxRowBits = 8 * 128, maxExtent = 256;
  ArrayRef<int64_t> entry = type.getShape().drop_front();
  int64_t rows = ShapedType::getNumElements(entry) / entry.back();
  return entry.size() > 1 && rows >= patternRows &&
         entry.back() * type.getElementType().getIntOrFloatBitWidth() <=
             maxRowBits &&
         llvm::all_of(entry,
                      [](int64_t extent) { return extent <= maxExtent; });
}

//===----------------------------------------------------------------------===//
// Demands
//===----------------------------------------------------------------------===//

/// Whether `reshape` only groups whole rows in another way, so that a tile
/// stays one.
static bool keepsRows(LocalReshapeOp reshape) {
  ArrayRef<int64_t> source = getType(reshape.getSource()).getShape();
  ArrayRef<int64_t> result = getType(reshape.getResult()).getShape();
  return source.size() > 1 && result.size() > 1 &&
         source.back() == result.back();
}

/// The layout of a reshape to `rank` dimensions, or of the entries, of a buffer
/// with `layout`.
static Attribute reshapeShared(Attribute layout, unsigned rank) {
  if (auto nvmma = dyn_cast<ttg::NVMMASharedEncodingAttr>(layout))
    return ttg::NVMMASharedEncodingAttr::get(
        layout.getContext(), nvmma.getSwizzlingByteWidth(),
        nvmma.getTransposed(), nvmma.getElementBitWidth(), nvmma.getFp4Padded(),
        rank);
  return getPlainShared(layout.getContext(), rank);
}

/// Operands of `wgmma` in other than 16-bit types have no transposed form: the
/// reduction is along the contiguous dimension.
static bool needsContiguousReduction(Type elementType) {
  return elementType.getIntOrFloatBitWidth() != 16;
}

void BufferAssigner::addDemands(Family &family, const Member &member) {
  BufferType type = getType(member.value);
  unsigned last = member.order.back();
  for (OpOperand &use : member.value.getUses()) {
    Demand demand;
    demand.op = use.getOwner();
    bool known =
        llvm::TypeSwitch<Operation *, bool>(demand.op)
            .Case([&](AsyncDotOp dot) {
              bool isA = use.getOperandNumber() == 0;
              demand.use = isA ? "operand 'a' of this product"
                               : "operand 'b' of this product";
              demand.tiled = true;
              if (needsContiguousReduction(type.getElementType()))
                demand.contiguous = member.order[isA ? 1 : 0];
              return true;
            })
            .Case<AsyncDescriptorLoadOp, AsyncDescriptorStoreOp>([&](auto) {
              demand.use = "the tile of this TMA copy";
              demand.tiled = true;
              demand.contiguous = last;
              demand.swizzle = getWidestSwizzle(
                  type.getShape(),
                  type.getElementType().getIntOrFloatBitWidth(),
                  /*transposed=*/false);
              return true;
            })
            .Case<AsyncBulkLoadOp, AsyncBulkStoreOp>([&](auto) {
              demand.use = "the bytes of this bulk copy";
              demand.tiled = false;
              demand.contiguous = last;
              return true;
            })
            .Case([&](LocalReshapeOp reshape) {
              demand.use = "the elements of this reshape";
              demand.contiguous = last;
              if (!keepsRows(reshape))
                demand.tiled = false;
              return true;
            })
            .Case([&](LocalIndexOp) {
              demand.use = "the entry that this index selects";
              demand.contiguous = last;
              if (!hasTiledEntries(type))
                demand.tiled = false;
              return true;
            })
            .Default(false);
    if (known)
      family.demands.push_back(demand);
  }
}

/// How to get out of a conflict on which dimension is contiguous.
static StringRef getAdvice(const Demand &a, const Demand &b) {
  if (isa<AsyncDotOp>(a.op) && isa<AsyncDotOp>(b.op))
    return "; use a buffer for each of the products";
  if (isa<AsyncDotOp>(a.op) || isa<AsyncDotOp>(b.op))
    return "; 8-bit and 32-bit products read both operands along K, so let the "
           "rows of the buffer run along K and pass local_trans of it";
  return "; use a buffer for each of them";
}

static InFlightDiagnostic emitConflict(const Family &family, const Demand &a,
                                       const Demand &b, const Twine &what,
                                       StringRef advice) {
  InFlightDiagnostic error =
      b.op->emitError() << b.use << " needs another " << what
                        << " than an earlier use of the same buffer" << advice;
  error.attachNote(a.op->getLoc()) << "the other use: " << a.use;
  error.attachNote(family.members.front().value.getLoc())
      << "the buffer is allocated here";
  return error;
}

FailureOr<Attribute> BufferAssigner::decide(const Family &family) {
  BufferType type = getType(family.members.front().value);
  if (type.getStorage() == Storage::tmem)
    return emitError(family.members.front().value.getLoc())
           << "expects a buffer in shared memory, but got " << type
           << "; there are no layouts of tensor memory yet";
  MLIRContext *context = module.getContext();
  const Demand *tiled = nullptr, *linear = nullptr, *contiguous = nullptr,
               *swizzle = nullptr;
  for (const Demand &demand : family.demands) {
    if (demand.tiled && !(*demand.tiled ? tiled : linear))
      (*demand.tiled ? tiled : linear) = &demand;
    if (demand.contiguous) {
      if (contiguous && contiguous->contiguous != demand.contiguous)
        return emitConflict(family, *contiguous, demand, "contiguous dimension",
                            getAdvice(*contiguous, demand));
      contiguous = &demand;
    }
    if (demand.swizzle) {
      if (swizzle && swizzle->swizzle != demand.swizzle)
        return emitConflict(family, *swizzle, demand, "swizzle",
                            "; copy tiles with rows of the same length, or use "
                            "a buffer for each of them");
      swizzle = &demand;
    }
    // Without swizzle, a tile of one dimension is consecutive elements.
    if (tiled && linear && type.getRank() > 1)
      return emitConflict(family, *tiled, *linear, "layout",
                          "; it has to be the layout of TMA and wgmma for one "
                          "and plain for the other, so use two buffers");
  }
  if (family.pin) {
    if (failed(checkPin(family)))
      return failure();
    return family.pin;
  }

  unsigned rank = type.getRank();
  if (linear && !tiled)
    return Attribute(getPlainShared(context, rank));
  if (!tiled && llvm::any_of(family.members, cannotBeTiled))
    return Attribute(getPlainShared(context, rank));
  if (!tiled)
    return getDefaultShared(context, type.getShape(), type.getElementType());
  if (!hasNVMMALayout(type.getElementType()))
    return tiled->op->emitError("expects elements of 8, 16 or 32 bits in ")
           << tiled->use << ", but got " << type.getElementType();
  bool transposed = contiguous && *contiguous->contiguous + 1 != rank;
  if (transposed && rank > 2)
    return contiguous->op->emitError("expects the contiguous dimension of ")
           << contiguous->use
           << " to be the last one of the buffer, as it has rank " << rank
           << ", but got dimension " << *contiguous->contiguous
           << "; allocate it in the order of the copy";
  ttg::NVMMASharedEncodingAttr layout = getNVMMAShared(
      context, type.getShape(), type.getElementType(), transposed);
  if (!swizzle || layout.getSwizzlingByteWidth() == *swizzle->swizzle)
    return Attribute(layout);
  return Attribute(ttg::NVMMASharedEncodingAttr::get(
      context, *swizzle->swizzle, transposed, layout.getElementBitWidth(),
      /*fp4Padded=*/false, rank));
}

LogicalResult BufferAssigner::checkPin(const Family &family) {
  auto nvmma = dyn_cast<ttg::NVMMASharedEncodingAttr>(family.pin);
  unsigned rank = getType(family.members.front().value).getRank();
  for (const Demand &demand : family.demands) {
    bool fits = false;
    if (demand.tiled.value_or(true) && nvmma) {
      unsigned contiguous = rank - (nvmma.getTransposed() ? 2 : 1);
      fits = demand.contiguous.value_or(contiguous) == contiguous &&
             demand.swizzle.value_or(nvmma.getSwizzlingByteWidth()) ==
                 nvmma.getSwizzlingByteWidth();
    } else if (nvmma) {
      fits = rank == 1 && nvmma.getSwizzlingByteWidth() == 0;
    } else if (auto swizzled =
                   dyn_cast<ttg::SwizzledSharedEncodingAttr>(family.pin);
               !demand.tiled.value_or(false) && swizzled) {
      fits = swizzled.getMaxPhase() == 1 &&
             swizzled.getOrder().front() == *demand.contiguous;
    }
    if (fits)
      continue;
    InFlightDiagnostic error = demand.op->emitError("cannot use the layout ")
                               << family.pin << " that the buffer asks for in "
                               << demand.use;
    if (family.pinned.getDefiningOp<LocalIndexOp>())
      error << "; make the first dimension of the buffer the number of a ring";
    else
      error << "; leave the layout to the compiler";
    error.attachNote(family.pinned.getLoc()) << "the layout is asked for here";
    return error;
  }
  return success();
}

/// Reports a view that has no form in the layout of its buffer.
static InFlightDiagnostic emitNoView(const Family &family, const Member &member,
                                     const Twine &message) {
  InFlightDiagnostic error = emitError(member.value.getLoc()) << message;
  const auto *tiled = llvm::find_if(family.demands, [](const Demand &demand) {
    return demand.tiled.value_or(false);
  });
  if (tiled != family.demands.end())
    error.attachNote(tiled->op->getLoc()) << "this is " << tiled->use;
  else if (family.pinned)
    error.attachNote(family.pinned.getLoc()) << "the layout is asked for here";
  return error;
}

LogicalResult BufferAssigner::assign(const Family &family, Attribute layout) {
  for (Member member : family.members) {
    Attribute own = layout;
    if (member.order != getIdentity(member.value))
      own = permuteShared(layout, member.order);
    if (!own)
      return emitNoView(family, member,
                        "expects no permutation of the dimensions of a buffer "
                        "of rank 3 or more that is a tile of TMA or wgmma; "
                        "select an entry first, or use a buffer of rank 2");
    auto slice = member.value.getDefiningOp<LocalSliceOp>();
    auto nvmma = dyn_cast<ttg::NVMMASharedEncodingAttr>(own);
    if (slice && nvmma && nvmma.getSwizzlingByteWidth() != 0 &&
        cutsPattern(slice, nvmma.getTransposed()))
      return emitNoView(family, member,
                        "expects a slice of a buffer that is a tile of TMA or "
                        "wgmma to have a multiple of 8 rows, which are "
                        "swizzled together; take a larger slice, or copy the "
                        "buffer to one of its own");
    member.value.setType(getType(member.value).withLayout(own));
    for (Operation *user : member.value.getUsers())
      if (isa<LocalReshapeOp, LocalIndexOp>(user))
        reshaped[user->getResult(0)] =
            reshapeShared(own, getType(user->getResult(0)).getRank());
  }
  return success();
}

LogicalResult BufferAssigner::run() {
  collectEdges();
  SmallVector<Value> roots;
  auto addRoots = [&](ValueRange values) {
    for (Value value : values)
      if (isBuffer(value))
        roots.push_back(value);
  };
  // Allocations come before their views.
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    addRoots(op->getResults());
    for (Region &region : op->getRegions())
      for (Block &block : region)
        addRoots(block.getArguments());
  });
  // The allocation, if there is one, shall be the first member of its family.
  std::stable_partition(roots.begin(), roots.end(), [](Value value) {
    return value.getDefiningOp<LocalAllocOp>() != nullptr;
  });
  for (Value root : roots) {
    if (visited.contains(root))
      continue;
    Family family;
    if (failed(collectFamily(root, family)))
      return failure();
    FailureOr<Attribute> layout = decide(family);
    if (failed(layout) || failed(assign(family, *layout)))
      return failure();
  }
  return success();
}

LogicalResult layouts::assignBufferLayouts(ModuleOp module) {
  return BufferAssigner(module).run();
}
