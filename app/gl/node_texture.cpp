#include "gl/node_texture.hpp"

#include "gl/result_texture.hpp"
#include "vm/image/shown_image.hpp"

#include <QElapsedTimer>

#include <algorithm>
#include <bit>
#include <cmath>
#include <exception>
#include <utility>

namespace pollard::app {

void NodeTexture::setTree(std::shared_ptr<const ComponentTree> tree, Source source) {
    if (tree != tree_) {
        tree_ = std::move(tree);
        source_ = std::move(source);
        arrange();
    }
}

void NodeTexture::setPlane(const VolumePlane& plane) {
    if (std::exchange(plane_, plane) != plane) {
        arrange();
    }
}

void NodeTexture::setSide(int side) {
    side_ = static_cast<int>(std::bit_floor(static_cast<unsigned>(std::clamp(side, 1, kSide))));
    arrange();
}

void NodeTexture::setBudget(std::uint64_t bytes) {
    budget_ = bytes;
    arrange();
}

void NodeTexture::arrange() {
    loaded_.clear();
    missing_ = 0;
    transfer_ = {};
    refused_ = false;
    voxels_ = {};
    if (!tree_ || !vm::hasPlane(tree_->extent(), plane_)) { // a plane of the previous tree
        return;
    }
    voxels_ = voxelsOf(plane_, tree_->extent());
    const std::uint32_t longest = std::max(voxels_.width, voxels_.height);
    shift_ = std::bit_width(std::bit_ceil(std::min(static_cast<std::uint32_t>(side_), longest))) - 1;
    const auto layersAlong = [this](std::uint32_t pixels) { return ((pixels - 1) >> shift_) + 1; };
    across_ = static_cast<int>(layersAlong(voxels_.width));
    const std::uint64_t layers = std::uint64_t{layersAlong(voxels_.width)} * layersAlong(voxels_.height);
    if (layers * layerBytes() <= budget_) {
        missing_ = layers;
        loaded_.resize(missing_);
    }
}

bool NodeTexture::isPossible() const noexcept { return !loaded_.empty() && !refused_; }

std::uint64_t NodeTexture::layerBytes() const noexcept { return sizeof(std::uint32_t) << (2 * shift_); }

QRectF NodeTexture::areaOf(int layer) const {
    const int side = 1 << shift_;
    const int column = layer % across_;
    const int row = layer / across_;
    return QRectF(QRect(column * side, row * side, side, side)) & QRectF(0, 0, voxels_.width, voxels_.height);
}

NodeTexture::Layers NodeTexture::layers() const noexcept {
    return {texture_, shift_, across_, QSize(static_cast<int>(voxels_.width), static_cast<int>(voxels_.height))};
}

void NodeTexture::load(const QRectF& seen, UploadAllowance& allowance) {
    if (!isPossible() || missing_ == 0) {
        return;
    }
    QElapsedTimer timer;
    timer.start();
    reserve();
    if (refused_) {
        return;
    }
    const bool byDevice = takeFromDevice();
    if (!byDevice && !refused_) {
        uploadMissing(seen, allowance);
    }
    transfer_.milliseconds += static_cast<double>(timer.nsecsElapsed()) * 1e-6;
    if (missing_ == 0) {
        transfer_.path = byDevice ? vm::DisplayPath::interop : vm::DisplayPath::upload;
        transfer_.problem = byDevice ? QString() : refusal_;
    }
}

bool NodeTexture::takeFromDevice() {
    const auto numbers = source_.numbers.lock();
    if (!numbers || refusedBy_ == source_.engine) {
        return false;
    }
    try {
        const QSize size = layers().image; // different images can have the same number of layers
        if (attachedTo_ != source_.engine || attachedSize_ != size) {
            detach();
            if (copiedInto_) { // drivers are slow to share a texture that has content
                destroy();
                reserve();
            }
            if (refused_) {
                return false;
            }
            target_ = shareTextures(*source_.engine, numbers->texels(), tiles());
            attachedTo_ = source_.engine;
            attachedSize_ = size;
        }
        target_->write(*numbers, plane_.at);
    } catch (const std::exception& error) {
        detach();
        refusedBy_ = source_.engine;
        refusal_ = QString::fromUtf8(error.what());
        return false;
    }
    refusal_.clear();
    std::fill(loaded_.begin(), loaded_.end(), true);
    missing_ = 0;
    return true;
}

void NodeTexture::detach() noexcept {
    if (target_) {
        target_->detach();
        target_.reset();
    }
    attachedTo_ = nullptr;
}

std::vector<GlTile> NodeTexture::tiles() const {
    std::vector<GlTile> tiles;
    for (int layer = 0; layer < static_cast<int>(loaded_.size()); ++layer) {
        const QRect area = areaOf(layer).toRect();
        tiles.push_back({texture_, static_cast<std::uint32_t>(area.x()), static_cast<std::uint32_t>(area.y()),
                         static_cast<std::uint32_t>(area.width()), static_cast<std::uint32_t>(area.height()),
                         static_cast<std::uint32_t>(layer)});
    }
    return tiles;
}

void NodeTexture::uploadMissing(const QRectF& seen, UploadAllowance& allowance) {
    struct MissingLayer {
        bool aside;
        double distance;
        int layer;
    };
    std::vector<MissingLayer> order;
    for (int layer = 0; layer < static_cast<int>(loaded_.size()); ++layer) {
        if (!loaded_[static_cast<std::size_t>(layer)]) {
            const QRectF area = areaOf(layer);
            const QPointF away = area.center() - seen.center();
            order.push_back({!area.intersects(seen), std::hypot(away.x(), away.y()), layer});
        }
    }
    std::sort(order.begin(), order.end(), [](const MissingLayer& a, const MissingLayer& b) {
        return std::pair(a.aside, a.distance) < std::pair(b.aside, b.distance);
    });
    glBindTexture(GL_TEXTURE_2D_ARRAY, texture_);
    for (const MissingLayer& each : order) {
        if (!allowance.take(layerBytes())) {
            break;
        }
        upload(each.layer);
    }
    glBindTexture(GL_TEXTURE_2D_ARRAY, 0);
}

bool NodeTexture::holds(const QRectF& part) const {
    if (!isPossible() || texture_ == 0) {
        return false;
    }
    for (int layer = 0; missing_ != 0 && layer < static_cast<int>(loaded_.size()); ++layer) {
        if (!loaded_[static_cast<std::size_t>(layer)] && areaOf(layer).intersects(part)) {
            return false;
        }
    }
    return true;
}

void NodeTexture::reserve() {
    if (!ready_) {
        initializeOpenGLFunctions();
        ready_ = true;
    }
    const int layers = static_cast<int>(loaded_.size());
    if (texture_ != 0 && madeShift_ == shift_ && madeLayers_ == layers) {
        return;
    }
    destroy();
    while (glGetError() != GL_NO_ERROR) {
        // clears older errors, which could be taken for a refused texture
    }
    glGenTextures(1, &texture_);
    glBindTexture(GL_TEXTURE_2D_ARRAY, texture_);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAX_LEVEL, 0);
    glTexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_R32UI, 1 << shift_, 1 << shift_, layers, 0, GL_RED_INTEGER, GL_UNSIGNED_INT,
                 nullptr);
    glBindTexture(GL_TEXTURE_2D_ARRAY, 0);
    refused_ = glGetError() != GL_NO_ERROR;
    if (refused_) {
        glDeleteTextures(1, &texture_);
        texture_ = 0;
        return;
    }
    madeShift_ = shift_;
    madeLayers_ = layers;
    madeBytes_ = static_cast<std::uint64_t>(layers) * layerBytes();
}

void NodeTexture::upload(int layer) {
    const QRect area = areaOf(layer).toRect();
    const auto left = static_cast<std::size_t>(area.x());
    const auto top = static_cast<std::size_t>(area.y());
    const std::uint32_t* from = tree_->pixelNode.data() + voxels_.voxelAt(left, top);
    std::size_t rowLength = voxels_.down;
    std::vector<std::uint32_t>
        gathered; // pixels that are not adjacent in memory, or whose rows run from the last to the first
    if (voxels_.right != 1 || plane_.turn.isUpsideDown) {
        rowLength = static_cast<std::size_t>(area.width());
        gathered.reserve(rowLength * static_cast<std::size_t>(area.height()));
        for (std::size_t y = 0; y < static_cast<std::size_t>(area.height()); ++y) {
            for (std::size_t x = 0; x < rowLength; ++x) {
                gathered.push_back(tree_->pixelNode[voxels_.voxelAt(left + x, top + y)]);
            }
        }
        from = gathered.data();
    }
    glPixelStorei(GL_UNPACK_ROW_LENGTH, static_cast<GLint>(rowLength));
    glTexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, 0, 0, layer, area.width(), area.height(), 1, GL_RED_INTEGER,
                    GL_UNSIGNED_INT, from);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    loaded_[static_cast<std::size_t>(layer)] = true;
    --missing_;
    copiedInto_ = true;
}

void NodeTexture::destroy() {
    detach();
    if (texture_ != 0) {
        glDeleteTextures(1, &texture_);
        texture_ = 0;
    }
    copiedInto_ = false;
    std::fill(loaded_.begin(), loaded_.end(), false);
    missing_ = loaded_.size();
    transfer_ = {};
}

void NodeTexture::leaveContext() {
    destroy();
    refusedBy_ = nullptr;
    refusal_.clear();
}

} // namespace pollard::app
