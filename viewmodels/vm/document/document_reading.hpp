#pragma once

#include "vm/document/document_contents.hpp"
#include "vm/document/job_types.hpp"
#include "vm/image/channel_reader.hpp"
#include "vm/image/open_request.hpp"

#include <QList>
#include <QObject>
#include <QString>

#include <memory>
#include <optional>

namespace pollard::vm {

class DocumentActivity;

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
    /// For parts of the window that use several channels.
    [[nodiscard]] const std::shared_ptr<ChannelReader>& channelReader() const noexcept { return channelReader_; }
    /// The displayed request, or the one being loaded.
    [[nodiscard]] OpenRequest presentRequest() const { return loading_.value_or(shown_.request); }
    /// Cached pages of this file beside the displayed one, and their memory, bytes.
    [[nodiscard]] int cachedPages() const noexcept { return cache_.pages; }
    [[nodiscard]] std::uint64_t cachedBytes() const noexcept { return cache_.bytes; }
    [[nodiscard]] const LoadRules& rules() const noexcept { return rules_; }
    /// The same for this request: without a memory check where none is needed.
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

} // namespace pollard::vm
