#include "parts/chunk/chunk_leaves.hpp"

#include "cpu/attributes/prominence.hpp"

#include <variant>

namespace pollard {

namespace {

AttributeId attributeOfMeasure(Prominence measure) noexcept {
    switch (measure) {
    case Prominence::extinctionArea:
        return AttributeId::area;
    case Prominence::extinctionVolume:
        return AttributeId::volume;
    case Prominence::dynamics:
        break;
    }
    return AttributeId::height;
}

} // namespace

ChunkLeaves::ChunkLeaves(const ValueNeeds& needs, Session& session, const ComponentTree& tree,
                         const JobControl& control) {
    for (const Prominence measure : kAllProminences) {
        if (needs.has(measure)) {
            OfMeasure& column = columns_[static_cast<std::size_t>(measure)];
            column.values = session.attribute(attributeOfMeasure(measure), control.withoutProgress());
            column.leaf = std::visit(
                [&](const auto& values) { return cpu::survivorsOf(tree, values, control.withoutProgress()).leaf; },
                column.values->values);
        }
    }
}

std::size_t ChunkLeaves::bytes() const noexcept {
    std::size_t sum = 0;
    for (const OfMeasure& column : columns_) {
        if (column.values) {
            sum += std::visit([](const auto& values) { return values.bytes(); }, column.values->values);
        }
        sum += column.leaf.bytes();
    }
    return sum;
}

} // namespace pollard
