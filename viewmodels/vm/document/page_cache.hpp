#pragma once

#include "vm/document/job_types.hpp"

#include "filter/filter_units.hpp"
#include "io/image_file.hpp"
#include "io/volumes/read_volume.hpp"

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <utility>

namespace pollard::vm {

/// An image with the pixels of its tree.
struct Picture : ShownImage {
    SlicePages slices;                   ///< pages of the slices of a volume
    std::shared_ptr<const Mask> inside;  ///< pixels of the tree, of a volume in the rows of all slices; null for all
    std::optional<ValueMapping> mapping; ///< of the levels of analysed() to values
    std::optional<PixelSize> pixelSize;  ///< for bounds in units: that of the file, or the one set by the user

    /// Of its lengths and values.
    [[nodiscard]] ImageUnits units() const { return {pixelSize, mapping, volume != nullptr}; }
    /// Whether it is displayed and its results need display data.
    [[nodiscard]] bool isShown() const noexcept { return pyramid != nullptr; }
};

/// The last filtered image of a page, as long as another owner holds its pixels.
class LastFrame {
public:
    void set(const FrameResult& frame);
    /// After a copy from the device.
    void setImage(const std::shared_ptr<const Image>& image) { image_ = image; }
    [[nodiscard]] std::uint16_t brightLevel() const noexcept { return frame_.brightLevel; }
    [[nodiscard]] const FilterSpec& spec() const noexcept { return frame_.spec; }
    /// Whether it is on a device as this frame.
    [[nodiscard]] bool isOn(const DeviceFrame& frame) const noexcept { return device_.lock().get() == &frame; }
    /// The image of this filter with its pyramid, without a copy on the device; empty if it is gone.
    [[nodiscard]] std::optional<FrameResult> get(const FilterSpec& spec, bool wantsPyramid) const;

private:
    FrameResult frame_; ///< without the images
    std::weak_ptr<const DeviceFrame> device_;
    std::weak_ptr<const Image> image_;
    std::weak_ptr<const Pyramid> pyramid_;
};

/// All data of one tree including the session; lives on the compute thread.
struct OpenedPage {
    Picture picture;
    std::unique_ptr<Session> session;
    TreeRequest request; ///< the session's request
    TreeResult tree;     ///< without the image; its frame is empty once handed out
    LastFrame frame;

    /// Approximate main memory of this page.
    [[nodiscard]] std::uint64_t hostBytes() const;
    /// The same on the device of its engine; 0 for the CPU engine.
    [[nodiscard]] std::uint64_t deviceBytes() const;
};

/// Pages and channels of one file with their trees, for a fast return. When memory is full, the least recently used
/// page is dropped first. Lives on the compute thread like its sessions.
class PageCache {
public:
    struct Budget {
        std::uint64_t host = 0;   ///< bytes of main memory; 0 keeps nothing
        std::uint64_t device = 0; ///< bytes on the device of an engine that has one
    };

    struct Key {
        int page = 0;
        ChannelChoice channel;

        bool operator==(const Key&) const = default;
    };

    /// Pages beyond a smaller budget are dropped at once.
    void setBudget(const Budget& budget);
    /// Keeps a page, unless it alone exceeds the budget; replaces one of the same key.
    void keep(const Key& key, OpenedPage page);
    /// Takes a page out.
    [[nodiscard]] std::optional<OpenedPage> take(const Key& key);
    void clear() noexcept;

    [[nodiscard]] std::size_t pages() const noexcept { return entries_.size(); }
    [[nodiscard]] std::uint64_t hostBytes() const noexcept { return hostBytes_; }

private:
    struct Entry {
        Key key;
        std::uint64_t hostBytes = 0;
        std::uint64_t deviceBytes = 0;
        OpenedPage page;
    };
    void makeRoom(std::uint64_t hostBytes, std::uint64_t deviceBytes);
    void erase(std::list<Entry>::iterator entry);

    Budget budget_;
    std::list<Entry> entries_; ///< most recently used first
    std::uint64_t hostBytes_ = 0;
    std::uint64_t deviceBytes_ = 0;
};

} // namespace pollard::vm
