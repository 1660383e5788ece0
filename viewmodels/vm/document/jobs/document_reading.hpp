#pragma once

#include "vm/document/document_contents.hpp"
#include "vm/document/jobs/job_types.hpp"
#include "vm/image/open_request.hpp"

#include "base/job_control.hpp"
#include "io/channels.hpp"
#include "io/image_file.hpp"
#include "io/volumes/read_volume.hpp"

#include <QList>
#include <QObject>
#include <QString>

#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>

namespace pollard::vm {

class DocumentActivity;
class FolderSizes;

/// Reads channels of images, projections and volumes for several parts of the window. Pixels that a part still
/// holds are not read again. Thread-safe.
class ChannelReader {
public:
    /// Like readChannels(), but the facts of the page describe only the channels that this call read.
    /// @param image as from allChannels()
    [[nodiscard]] ChannelImage read(const OpenRequest& image, const ReadLimits& limits,
                                    std::span<const std::size_t> wanted, const JobControl& control);

private:
    struct Known {
        ChannelPlane facts; ///< without pixels
        std::weak_ptr<const Image> image;
        std::weak_ptr<const Mask> valid;
        bool isMasked = false;

        /// The channel; empty if its pixels have been freed.
        [[nodiscard]] std::optional<ChannelPlane> plane() const;
    };

    std::mutex mutex_; ///< of the members below
    OpenRequest image_;
    std::filesystem::file_time_type changed_;
    std::map<std::size_t, Known> known_; ///< by index in channelsOf()
};

/// A grey value that a file offers.
struct ChannelEntry {
    QString choice; ///< as ChannelChoice::parse() reads it
    QString name;   ///< of a stored channel as titleOf(), or of a computed one

    bool operator==(const ChannelEntry&) const = default;
};

/// "GFP (509 nm)"; "Red", "Green" and "Blue" are translated.
[[nodiscard]] QString titleOf(const Channel& channel);

/// How a document's file is read: page, channel, values, part, limits. A change leads to requested(), unless another
/// file is being loaded: see readingKept().
class DocumentReading : public QObject {
    Q_OBJECT

public:
    /// Both must outlive this.
    DocumentReading(const DocumentContents& shown, DocumentActivity& activity) : shown_(shown), activity_(activity) {}

    /// The displayed page, or the one being loaded from the same file, 0-based.
    [[nodiscard]] int wantedPage() const;
    /// Another file is being loaded while one is displayed. Until then the reading of neither can be changed.
    [[nodiscard]] bool isOpeningAnother() const;
    [[nodiscard]] ChannelChoice channel() const noexcept { return shown_.request.channel; }
    [[nodiscard]] QString channelName() const; ///< "luminance", "red" ... as ChannelChoice::parse reads it
    /// The luminance of colours, the samples of the page, the stains and spectral indices that can be computed from
    /// them, and the present choice; one entry for a grey image.
    [[nodiscard]] QList<ChannelEntry> channels() const;
    [[nodiscard]] const std::optional<OpenRequest>& loading() const noexcept { return loading_; } ///< being loaded
    /// The reader of channels, shared by the parts of the window that use several channels.
    [[nodiscard]] const std::shared_ptr<ChannelReader>& channelReader() const noexcept { return channelReader_; }
    /// The displayed request, or the one being loaded.
    [[nodiscard]] OpenRequest presentRequest() const { return loading_.value_or(shown_.request); }
    /// Cached pages of this file, without the displayed one, and their memory in bytes.
    [[nodiscard]] int cachedPages() const noexcept { return cache_.pages; }
    [[nodiscard]] std::uint64_t cachedBytes() const noexcept { return cache_.bytes; }
    [[nodiscard]] const LoadRules& rules() const noexcept { return rules_; }
    /// The rules for a request; without a memory check if none is needed.
    [[nodiscard]] LoadRules rulesFor(const OpenRequest& request) const;

    /// Limits on the claims of files opened from this call on.
    void setReadLimits(const ReadLimits& limits) { rules_.limits = limits; }
    /// Whether an image that needs more than half of the memory leads to decisionNeeded() first.
    void setAskAboutMemory(bool ask) { rules_.askFirst = ask; }
    /// Main memory for trees of cached pages; 0 keeps none.
    void setCacheBudget(std::uint64_t bytes) { rules_.cacheBytes = bytes; }
    void setPage(int page) { set(&OpenRequest::page, page); }
    void setChannel(const ChannelChoice& channel) { set(&OpenRequest::channel, channel); }
    void setChannelName(const QString& name);
    /// Axes of the pages of a file that states none, as parseAxisOrder() reads them; empty: none.
    void setAxes(const QString& order);
    /// How signed, wide and floating-point values become levels; reads the page again.
    void setMapping(const MappingChoice& mapping) { set(&OpenRequest::mapping, mapping); }
    /// Another of ImageInfo::levels, completely.
    void setLevel(int level);
    /// Reads only this part, in px of the level; all if empty.
    void setReadRegion(const std::optional<PixelRegion>& region) { set(&OpenRequest::region, region); }
    /// Averages blocks of factor x factor px.
    void setShrink(int factor) { set(&OpenRequest::shrink, factor); }

    // For the document:
    /// Files that state slices are opened in this way from this call on.
    void preferSlices(Slices slices, const std::optional<Projection>& projection) {
        rules_.slices = slices;
        rules_.projection = projection;
    }
    void begin(const OpenRequest& request) { loading_ = request; }
    void stop() { loading_.reset(); }
    /// Ends a load. @returns its request with the pixel size that was set during the load
    [[nodiscard]] OpenRequest end(const OpenRequest& request, bool newest);
    /// Sets the pixel size of the page being loaded, if it is of the displayed file or none is displayed.
    void setPixelSize(const std::optional<PixelSize>& size);
    /// Pages and channels of this file are read without a memory check.
    void decide(const OpenRequest& request) { decided_ = request; }
    void takeCache(const CacheUse& use);

signals:
    void requested(const pollard::vm::OpenRequest& request);
    /// A change of the reading was rejected, because another file is being loaded.
    void readingKept();
    void cacheChanged();

private:
    template <class Value> void set(Value OpenRequest::*member, const Value& value) {
        OpenRequest request = presentRequest();
        request.*member = value;
        change(request);
    }
    /// Does nothing if the request is the present one.
    void change(const OpenRequest& request);

    const DocumentContents& shown_;
    DocumentActivity& activity_;
    std::optional<OpenRequest> loading_;
    std::optional<OpenRequest> decided_; ///< the stack to open without a memory check
    LoadRules rules_;
    CacheUse cache_;
    std::shared_ptr<ChannelReader> channelReader_ = std::make_shared<ChannelReader>();
};

/// The pixel size of a document's image: set by the user, else stated by the file, else set for all images of the
/// folder. Setting it reads nothing again; pages of a file share it.
class DocumentPixelSizes : public QObject {
    Q_OBJECT

public:
    /// Both must outlive this.
    DocumentPixelSizes(DocumentContents& shown, DocumentReading& reading) : shown_(shown), reading_(reading) {}

    /// Size of a pixel of the displayed image, if known.
    [[nodiscard]] std::optional<PixelSize> present() const { return sizeIn(shown_.info); }
    /// Sides of a voxel in an unknown unit, for a file without a pixel size.
    [[nodiscard]] std::optional<VoxelSides> spacing() const {
        return shown_.info ? shown_.info->spacing : std::nullopt;
    }
    /// Sides of a voxel in units of its width.
    [[nodiscard]] VoxelSides voxelSides() const { return pollard::voxelSides(present(), spacing()); }
    /// Size of a pixel as stated in the file.
    [[nodiscard]] std::optional<PixelSize> ofFile() const { return sizeIn(shown_.fileInfo); }
    /// Set for images of the folder, of a pixel at full resolution.
    [[nodiscard]] std::optional<PixelSize> ofFolder() const;
    /// Set by the user and in use, for this image or its folder, of a pixel at full resolution.
    [[nodiscard]] std::optional<PixelSize> stated() const;

    /// Storage of the sizes set for folders; must outlive this.
    void keepFolderSizes(FolderSizes& sizes) { folderSizes_ = &sizes; }
    /// Sets the size of a pixel at full resolution; empty: the size of the file or the folder.
    void set(const std::optional<PixelSize>& size);
    /// Sets the size for all images of the folder that state none in their files.
    void setForFolder(const std::optional<PixelSize>& size);
    /// Applies a change of the folder sizes.
    void adopt();
    /// Puts the size set by the user into the facts of the image. @returns whether they changed
    bool apply();

signals:
    /// The size of the image or of its folder has changed.
    void changed();

private:
    static std::optional<PixelSize> sizeIn(const std::shared_ptr<const ImageInfo>& info) {
        return info ? info->pixelSize : std::nullopt;
    }

    DocumentContents& shown_;
    DocumentReading& reading_;
    FolderSizes* folderSizes_ = nullptr;
};

} // namespace pollard::vm
