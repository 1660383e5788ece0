#include "vm/document/opened_page.hpp"

#include <variant>

namespace pollard::vm {

namespace {

constexpr std::uint64_t kDeviceBytesPerNode = 26; ///< tables and an attribute
constexpr std::uint64_t kDeviceBytesPerPixel = 4; ///< the node of the pixel

std::uint64_t bytesOfTree(const ComponentTree& tree) {
    return tree.pixelNode.bytes() + tree.parent.bytes() + tree.level.bytes() + tree.subtreeEnd.bytes() +
           tree.canonical.bytes();
}

} // namespace

std::uint64_t OpenedPage::hostBytes() const {
    std::uint64_t bytes = picture.image ? picture.image->bytes() : 0;
    if (picture.pyramid) {
        bytes += bytes / 3;
    }
    if (picture.input) {
        bytes += picture.input->bytes();
    }
    if (picture.inside) {
        bytes += picture.image->bytes(); // the analysed picture is a copy
        bytes += picture.inside->bytes();
    }
    if (picture.valid && picture.valid != picture.inside) {
        bytes += picture.valid->bytes();
    }
    if (picture.histogram) {
        bytes += picture.histogram->counts.size() * sizeof(picture.histogram->counts[0]);
    }
    if (tree.tree) {
        bytes += bytesOfTree(*tree.tree);
    }
    for (const auto& [id, column] : tree.attributes) {
        bytes += std::visit([](const auto& values) { return values.bytes(); }, column->values);
    }
    return bytes;
}

std::uint64_t OpenedPage::deviceBytes() const {
    if (tree.engine.name == kFallbackEngine || !tree.tree || !picture.image) {
        return 0;
    }
    return picture.image->bytes() + tree.tree->pixelCount() * kDeviceBytesPerPixel +
           tree.tree->nodeCount() * kDeviceBytesPerNode;
}

} // namespace pollard::vm
