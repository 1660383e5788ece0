#include "cpu/node_attributes.hpp"

#include "cpu/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <string>
#include <type_traits>

namespace pollard::cpu {

namespace {

/// Number of pixels of exactly the node's level, per node.
Buffer<std::uint32_t> ownPixels(const ComponentTree& tree, const JobControl& control) {
    Buffer<std::uint32_t> own(tree.nodeCount());
    std::memset(own.data(), 0, own.bytes());
    forEachRange(tree.pixelCount(), control, [&](std::size_t begin, std::size_t end) {
        // Neighbouring pixels share their node often: count the stretch, add once.
        for (std::size_t p = begin; p != end;) {
            const std::uint32_t node = tree.pixelNode[p];
            std::size_t q = p + 1;
            while (q != end && tree.pixelNode[q] == node) {
                ++q;
            }
            std::atomic_ref(own[node]).fetch_add(static_cast<std::uint32_t>(q - p), std::memory_order_relaxed);
            p = q;
        }
    });
    return own;
}

/// Turns values per node into sums over the component: prefix sums, then differences over the interval.
template <class T> void sumOverComponents(const ComponentTree& tree, Buffer<T>& values, const JobControl& control) {
    const std::size_t n = tree.nodeCount();
    Buffer<T> before(n + 1);
    T sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
        before[i] = sum;
        sum = static_cast<T>(sum + values[i]);
    }
    before[n] = sum;
    forEachIndex(n, control,
                 [&](std::size_t i) { values[i] = static_cast<T>(before[tree.subtreeEnd[i]] - before[i]); });
}

template <class Better> void improve(std::uint32_t& slot, std::uint32_t value, Better better) {
    const std::atomic_ref atomic(slot);
    std::uint32_t seen = atomic.load(std::memory_order_relaxed);
    while (better(value, seen) && !atomic.compare_exchange_weak(seen, value, std::memory_order_relaxed)) {
    }
}

template <class T> void findRange(AttributeColumn& column, const Buffer<T>& values) {
    bool found = false;
    for (const T value : values) {
        const auto v = static_cast<double>(value);
        if constexpr (std::is_floating_point_v<T>) {
            if (std::isnan(v)) {
                continue;
            }
        }
        column.minimum = found ? std::min(column.minimum, v) : v;
        column.maximum = found ? std::max(column.maximum, v) : v;
        found = true;
    }
}

} // namespace

AttributeColumn NodeAttributes::compute(AttributeId id, const JobControl& control) {
    AttributeColumn column{id, {}, 0, 0};
    switch (id) {
    case AttributeId::area: {
        const Buffer<std::uint32_t>& area = this->area(control);
        Buffer<std::uint32_t> copy(area.size());
        std::copy(area.begin(), area.end(), copy.begin());
        column.values = std::move(copy);
        break;
    }
    case AttributeId::width:
        column.values = width(control);
        break;
    case AttributeId::heightPx:
        column.values = heightPx(control);
        break;
    case AttributeId::bboxArea:
        column.values = bboxArea(control);
        break;
    case AttributeId::bboxDiagonal:
        column.values = bboxDiagonal(control);
        break;
    case AttributeId::level:
        column.values = level();
        break;
    case AttributeId::height:
        column.values = height();
        break;
    case AttributeId::volume:
        column.values = volume(control);
        break;
    case AttributeId::mean:
        column.values = mean(control);
        break;
    case AttributeId::depth:
        column.values = depth();
        break;
    default:
        throw Error(ErrorCode::invalidArgument,
                    "attribute '" + std::string(attributeInfo(id).name) + "': not measured by this version");
    }
    control.throwIfStopped();
    std::visit([&](const auto& values) { findRange(column, values); }, column.values);
    return column;
}

const Buffer<std::uint32_t>& NodeAttributes::area(const JobControl& control) {
    if (area_.empty()) {
        Buffer<std::uint32_t> area = ownPixels(*tree_, control);
        sumOverComponents(*tree_, area, control);
        area_ = std::move(area);
    }
    return area_;
}

const NodeAttributes::Boxes& NodeAttributes::boxes(const JobControl& control) {
    if (!boxes_.left.empty()) {
        return boxes_;
    }
    const ComponentTree& tree = *tree_;
    const std::size_t n = tree.nodeCount();
    Boxes boxes{Buffer<std::uint32_t>(n), Buffer<std::uint32_t>(n), Buffer<std::uint32_t>(n), Buffer<std::uint32_t>(n)};
    forEachIndex(n, control, [&](std::size_t i) {
        const std::uint32_t x = tree.canonical[i] % tree.width;
        const std::uint32_t y = tree.canonical[i] / tree.width;
        boxes.left[i] = boxes.right[i] = x;
        boxes.top[i] = boxes.bottom[i] = y;
    });
    forEachRange(
        tree.height, control,
        [&](std::size_t begin, std::size_t end) {
            for (std::size_t y = begin; y != end; ++y) {
                const std::uint32_t* row = tree.pixelNode.data() + y * tree.width;
                for (std::uint32_t x = 0; x < tree.width; ++x) {
                    improve(boxes.left[row[x]], x, std::less<>{});
                    improve(boxes.right[row[x]], x, std::greater<>{});
                    improve(boxes.top[row[x]], static_cast<std::uint32_t>(y), std::less<>{});
                    // The canonical pixel is the last one in raster order: the bottom is known.
                }
            }
        },
        16);
    for (std::size_t i = n; i-- > 1;) {
        const std::uint32_t p = tree.parent[i];
        boxes.left[p] = std::min(boxes.left[p], boxes.left[i]);
        boxes.top[p] = std::min(boxes.top[p], boxes.top[i]);
        boxes.right[p] = std::max(boxes.right[p], boxes.right[i]);
        boxes.bottom[p] = std::max(boxes.bottom[p], boxes.bottom[i]);
    }
    boxes_ = std::move(boxes);
    return boxes_;
}

Buffer<std::uint32_t> NodeAttributes::width(const JobControl& control) {
    const Boxes& b = boxes(control);
    Buffer<std::uint32_t> out(tree_->nodeCount());
    forEachIndex(out.size(), control, [&](std::size_t i) { out[i] = b.right[i] - b.left[i] + 1; });
    return out;
}

Buffer<std::uint32_t> NodeAttributes::heightPx(const JobControl& control) {
    const Boxes& b = boxes(control);
    Buffer<std::uint32_t> out(tree_->nodeCount());
    forEachIndex(out.size(), control, [&](std::size_t i) { out[i] = b.bottom[i] - b.top[i] + 1; });
    return out;
}

Buffer<std::uint64_t> NodeAttributes::bboxArea(const JobControl& control) {
    const Boxes& b = boxes(control);
    Buffer<std::uint64_t> out(tree_->nodeCount());
    forEachIndex(out.size(), control, [&](std::size_t i) {
        out[i] = std::uint64_t{b.right[i] - b.left[i] + 1} * (b.bottom[i] - b.top[i] + 1);
    });
    return out;
}

Buffer<double> NodeAttributes::bboxDiagonal(const JobControl& control) {
    const Boxes& b = boxes(control);
    Buffer<double> out(tree_->nodeCount());
    forEachIndex(out.size(), control, [&](std::size_t i) {
        const double w = b.right[i] - b.left[i] + 1;
        const double h = b.bottom[i] - b.top[i] + 1;
        out[i] = std::sqrt(w * w + h * h);
    });
    return out;
}

Buffer<std::uint16_t> NodeAttributes::level() const {
    Buffer<std::uint16_t> out(tree_->nodeCount());
    std::copy(tree_->level.begin(), tree_->level.end(), out.begin());
    return out;
}

Buffer<std::uint16_t> NodeAttributes::height() const {
    // Carries the extreme level of the component from child to parent, then measures it from the parent's level.
    const ComponentTree& tree = *tree_;
    Buffer<std::uint16_t> out = level();
    const bool maxTree = tree.kind == TreeKind::max;
    for (std::size_t i = tree.nodeCount(); i-- > 1;) {
        std::uint16_t& up = out[tree.parent[i]];
        up = maxTree ? std::max(up, out[i]) : std::min(up, out[i]);
    }
    for (std::size_t i = 0; i < tree.nodeCount(); ++i) {
        out[i] = static_cast<std::uint16_t>(std::abs(out[i] - tree.level[tree.parent[i]]));
    }
    return out;
}

Buffer<std::uint64_t> NodeAttributes::levelSum(const JobControl& control) {
    const ComponentTree& tree = *tree_;
    const Buffer<std::uint32_t>& areas = area(control);
    Buffer<std::uint64_t> sum(tree.nodeCount());
    // The pixels that belong to a node alone: its area less that of its children.
    for (std::size_t i = 0; i < sum.size(); ++i) {
        sum[i] = areas[i];
    }
    for (std::size_t i = 1; i < sum.size(); ++i) {
        sum[tree.parent[i]] -= areas[i];
    }
    forEachIndex(sum.size(), control, [&](std::size_t i) { sum[i] *= tree.level[i]; });
    sumOverComponents(tree, sum, control);
    return sum;
}

Buffer<std::uint64_t> NodeAttributes::volume(const JobControl& control) {
    const ComponentTree& tree = *tree_;
    Buffer<std::uint64_t> out = levelSum(control);
    const Buffer<std::uint32_t>& areas = area(control);
    const bool maxTree = tree.kind == TreeKind::max;
    forEachIndex(out.size(), control, [&](std::size_t i) {
        // The root's parent is the root itself, as the definition wants it.
        const std::uint64_t base = std::uint64_t{tree.level[tree.parent[i]]} * areas[i];
        out[i] = maxTree ? out[i] - base : base - out[i];
    });
    return out;
}

Buffer<double> NodeAttributes::mean(const JobControl& control) {
    const Buffer<std::uint64_t> sum = levelSum(control);
    const Buffer<std::uint32_t>& areas = area(control);
    Buffer<double> out(sum.size());
    forEachIndex(out.size(), control,
                 [&](std::size_t i) { out[i] = static_cast<double>(sum[i]) / static_cast<double>(areas[i]); });
    return out;
}

Buffer<std::uint32_t> NodeAttributes::depth() const {
    Buffer<std::uint32_t> out(tree_->nodeCount());
    out[0] = 0;
    for (std::size_t i = 1; i < out.size(); ++i) {
        out[i] = out[tree_->parent[i]] + 1;
    }
    return out;
}

} // namespace pollard::cpu
