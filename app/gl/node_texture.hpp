#pragma once

#include "gl/tile_textures.hpp"

#include "engine/engine.hpp"
#include "image/volume_plane.hpp"
#include "tree/component_tree.hpp"
#include "vm/display/presentation_view_model.hpp"

#include <QOpenGLExtraFunctions>
#include <QRectF>
#include <QSize>
#include <QString>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace pollard::app {

/// The node index of every pixel on the graphics card: an array of square R32UI layers that cover the image row by
/// row, so that a shader finds the number of any pixel. The device that built the tree writes all layers at once if
/// possible (interop); else they are copied from main memory one by one. Layers are written once per tree, in a volume
/// once per slice. Refused interop is retried only after leaveContext() or for another engine. Calls marked (GL)
/// require the context of the first call to be current.
class NodeTexture : protected QOpenGLExtraFunctions {
public:
    static constexpr int kSide = 512; ///< px of a layer
    /// Bytes of all layers above which there is no texture: 64 MPix.
    static constexpr std::uint64_t kBudget = std::uint64_t{256} << 20;

    NodeTexture() = default;
    NodeTexture(const NodeTexture&) = delete;
    NodeTexture& operator=(const NodeTexture&) = delete;

    /// The numbers of a tree on the device that built it.
    struct Source {
        std::weak_ptr<const DevicePixels> numbers; ///< null or expired: the numbers in main memory are copied
        Engine* engine = nullptr;                  ///< of the numbers; may be null without numbers
    };

    /// Sets the tree, null for none; numbers of the previous tree are not shown any more.
    void setTree(std::shared_ptr<const ComponentTree> tree) { setTree(std::move(tree), {}); }
    void setTree(std::shared_ptr<const ComponentTree> tree, Source source);
    /// Sets the plane of a volume whose pixels are shown; the device writes slices only.
    void setPlane(const VolumePlane& plane);
    /// Sets the longest side of a layer, a power of two up to kSide; existing layers are replaced. For tests of
    /// borders.
    void setSide(int side);
    void setBudget(std::uint64_t bytes);

    [[nodiscard]] const std::shared_ptr<const ComponentTree>& tree() const noexcept { return tree_; }
    /// Whether there is a tree, its numbers are within the budget, and the driver has not refused them.
    [[nodiscard]] bool isPossible() const noexcept;
    /// Lets the device write all layers, or copies missing layers within the allowance: first the layers that meet
    /// @p seen (px of the image), from its middle outwards. (GL)
    void load(const QRectF& seen, UploadAllowance& allowance);
    /// How the numbers were loaded; the path is none until all are loaded.
    [[nodiscard]] const vm::NumbersTransfer& transfer() const noexcept { return transfer_; }
    /// Whether all numbers of a part of the image are loaded.
    [[nodiscard]] bool holds(const QRectF& part) const;
    [[nodiscard]] bool isComplete() const noexcept { return isPossible() && missing_ == 0; }
    /// Deletes the texture; its layers must be written again. (GL)
    void destroy();
    /// Deletes the texture and resets refusals. (GL)
    void leaveContext();

    /// Parameters of the shader's lookup; valid while holds() is true.
    struct Layers {
        GLuint texture = 0;
        int shift = 0;  ///< a layer's side is 1 << shift
        int across = 0; ///< layers side by side
        QSize image;    ///< px
    };
    [[nodiscard]] Layers layers() const noexcept;
    [[nodiscard]] std::uint64_t bytes() const noexcept { return texture_ == 0 ? 0 : madeBytes_; } ///< of the texture

private:
    void arrange();
    void reserve();
    /// @returns whether the device wrote all layers
    bool takeFromDevice();
    void detach() noexcept; ///< detaches the device
    void uploadMissing(const QRectF& seen, UploadAllowance& allowance);
    void upload(int layer);
    [[nodiscard]] std::vector<GlTile> tiles() const;
    [[nodiscard]] QRectF areaOf(int layer) const;
    [[nodiscard]] std::uint64_t layerBytes() const noexcept;

    std::shared_ptr<const ComponentTree> tree_;
    Source source_;
    VolumePlane plane_;
    PlaneVoxels voxels_;               ///< of plane_; empty if the tree has no such plane
    std::unique_ptr<GlTarget> target_; ///< of texture_; null while not shared with a device
    const Engine* attachedTo_ = nullptr;
    const Engine* refusedBy_ = nullptr;
    QSize attachedSize_; ///< of the image
    QString refusal_;
    vm::NumbersTransfer transfer_;
    std::vector<bool> loaded_; ///< layers that were written
    std::size_t missing_ = 0;
    int across_ = 0;
    int shift_ = 0;
    int side_ = kSide;
    std::uint64_t budget_ = kBudget;
    GLuint texture_ = 0;
    int madeShift_ = 0; ///< of texture_
    int madeLayers_ = 0;
    std::uint64_t madeBytes_ = 0;
    bool refused_ = false;
    bool ready_ = false;
    bool copiedInto_ = false; ///< texture_ holds layers from main memory
};

} // namespace pollard::app
