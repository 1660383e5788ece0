#pragma once

#include "vm/base/latest_wins_worker.hpp"
#include "vm/base/progress_relay.hpp"
#include "vm/base/retired_data.hpp"
#include "vm/document/document_contents.hpp"
#include "vm/document/document_jobs.hpp"
#include "vm/document/document_services.hpp"
#include "vm/document/job_types.hpp"
#include "vm/document/result_fetch.hpp"
#include "vm/document/save_queue.hpp"
#include "vm/picture/level_histogram.hpp"
#include "vm/picture/open_request.hpp"

#include "attributes/attribute.hpp"
#include "engine/engine.hpp"
#include "filter/filter_spec.hpp"
#include "image/image.hpp"
#include "io/image_file.hpp"
#include "recipe/filter_stages.hpp"
#include "tree/component_tree.hpp"

#include <QObject>
#include <QString>
#include <QStringList>

#include <memory>
#include <optional>

namespace pollard::vm {

class FolderSizes;
struct PageFilter;

/// One open image with its tree, its attributes and the filtered picture. Owns the compute thread; the engine session
/// lives there and nowhere else. Every slow job runs there; the setters return at once and the signals tell the end.
///
/// Opening is all or nothing: until the new image and its tree are there, and for good if that fails or is cancelled,
/// everything here describes the previous document.
///
/// The size of a pixel is the one that a person set for the picture, else the one that the file states, else the one
/// that was set for all pictures of the folder. Setting it reads nothing again; pages of a file share it.
class DocumentViewModel : public QObject {
    Q_OBJECT

public:
    enum class State {
        empty,    ///< nothing open
        loading,  ///< a file is being read (a previous document may still be shown: hasImage())
        building, ///< a tree is being built
        ready,    ///< image, tree and filtered picture are there
        failed,   ///< the last open failed and nothing was open before; lastError() says why
    };

    explicit DocumentViewModel(DocumentServices services, QObject* parent = nullptr);
    ~DocumentViewModel() override;

    [[nodiscard]] State state() const noexcept { return state_; }
    /// A load, a build or a save waits or runs: show progress and offer cancel().
    [[nodiscard]] bool isBusy() const noexcept { return busy_; }
    /// A filter job waits or runs.
    [[nodiscard]] bool isFiltering() const noexcept { return filtering_; }
    [[nodiscard]] double progress() const noexcept { return progress_; } ///< 0..1 of the running job
    [[nodiscard]] QString progressText() const { return progressText_; } ///< "Opening x.tif: merge"
    [[nodiscard]] QString lastError() const { return lastError_; }

    [[nodiscard]] bool hasImage() const noexcept { return shown_.image != nullptr; }
    [[nodiscard]] QString path() const { return shown_.request.path; } ///< absolute; empty if nothing is open
    [[nodiscard]] QString title() const; ///< file name, with the page where there are several
    [[nodiscard]] int page() const noexcept { return shown_.request.page; } ///< 0-based
    [[nodiscard]] int pageCount() const noexcept;
    /// The page of the file that is shown, or of that file on its way, 0-based.
    [[nodiscard]] int wantedPage() const { return isOpeningAnother() ? page() : presentRequest().page; }
    /// Another file is on its way while one is shown. Its reading cannot be changed until then, nor that of the one
    /// that is shown: see readingKept().
    [[nodiscard]] bool isOpeningAnother() const;
    [[nodiscard]] ChannelChoice channel() const noexcept { return shown_.request.channel; }
    [[nodiscard]] QString channelName() const; ///< "luminance", "red" ... as ChannelChoice::parse reads it
    /// Names of the channels this file offers; one entry for a grey image.
    [[nodiscard]] QStringList channelNames() const;
    /// All null if nothing is open.
    [[nodiscard]] std::shared_ptr<const ImageInfo> imageInfo() const noexcept { return shown_.info; }
    [[nodiscard]] std::shared_ptr<const Image> image() const noexcept { return shown_.image; }
    /// Pixels of image() that hold data; null if all do. The others are shown as transparent.
    [[nodiscard]] std::shared_ptr<const Mask> valid() const noexcept { return shown_.valid; }
    /// The region that is to be analysed; null for the whole picture. The tree that is there may still be that of
    /// another one while state() is building. Pixels outside, and those without data, take no part.
    [[nodiscard]] std::shared_ptr<const Mask> domain() const noexcept { return domain_; }
    /// The filters that come before the one at hand, on and off: those that are wanted. The tree that is there may
    /// still be that of others while state() is building.
    [[nodiscard]] const FilterStages& earlierFilters() const noexcept { return earlier_; }
    /// What they left of image(), and the tree is built of; image() itself without them. Null if nothing is open.
    [[nodiscard]] std::shared_ptr<const Image> input() const noexcept {
        return shown_.input ? shown_.input : shown_.image;
    }
    /// What is shown: file, page and how it was read.
    [[nodiscard]] const OpenRequest& request() const noexcept { return shown_.request; }
    /// What is shown, or on its way.
    [[nodiscard]] OpenRequest presentRequest() const;
    /// Size of a pixel of image(), if it is known.
    [[nodiscard]] std::optional<PixelSize> pixelSize() const;
    /// The same as the file states it.
    [[nodiscard]] std::optional<PixelSize> filePixelSize() const;
    /// What was set for pictures of the folder of path(), of a pixel at full resolution.
    [[nodiscard]] std::optional<PixelSize> folderPixelSize() const;
    /// The size that a person set and that is in use, for this picture or for its folder, of a pixel at full
    /// resolution.
    [[nodiscard]] std::optional<PixelSize> statedPixelSize() const { return statedSizeFor(shown_.request); }
    /// What of the page is left out ("shrunk by 4"); empty if nothing is.
    [[nodiscard]] QString reductionText() const { return hasImage() ? shown_.request.reductionText() : QString(); }
    /// image() and ever smaller versions of it; null if nothing is open.
    [[nodiscard]] std::shared_ptr<const Pyramid> imagePyramid() const noexcept { return shown_.pyramid; }
    /// The same of result(); may be null while setResultPyramidWanted(false).
    [[nodiscard]] std::shared_ptr<const Pyramid> resultPyramid() const noexcept { return shown_.frame.pyramid; }
    /// Whoever shows device frames without a way over main memory can do without pyramids of results. Once they are
    /// wanted again, the present picture is made again with one.
    void setResultPyramidWanted(bool wanted);
    [[nodiscard]] std::shared_ptr<const LevelHistogram> levelHistogram() const noexcept { return shown_.histogram; }

    /// The tree that is wanted; the one that is there may still be another while state() is building.
    [[nodiscard]] const TreeSpec& treeSpec() const noexcept { return treeSpec_; }
    [[nodiscard]] TreeKind treeKind() const noexcept { return treeSpec_.kind; }
    [[nodiscard]] Connectivity connectivity() const noexcept { return treeSpec_.connectivity; }
    [[nodiscard]] std::shared_ptr<const ComponentTree> tree() const noexcept { return shown_.tree; }
    /// The number of every pixel's node of tree() where the device of treeEngine() keeps it, else null. Who shows it
    /// holds it no longer than that.
    [[nodiscard]] std::shared_ptr<const DevicePixels> deviceNodes() const noexcept { return shown_.deviceNodes; }
    /// The engine that built tree(); null if nothing is open. It outlives this.
    [[nodiscard]] Engine* treeEngine() const noexcept { return shown_.treeEngine; }
    [[nodiscard]] const TreeReport& treeReport() const noexcept { return shown_.treeReport; }
    /// Null until attributeReady(id) for this tree.
    [[nodiscard]] std::shared_ptr<const AttributeColumn> attribute(AttributeId id) const noexcept {
        return shown_.attribute(id);
    }

    /// The last filter that was asked for.
    [[nodiscard]] const FilterSpec& filterSpec() const noexcept { return filterSpec_; }
    /// Whether there is a filtered picture: result(), or as long as that is on its way deviceFrame().
    [[nodiscard]] bool hasResult() const noexcept { return result() || deviceFrame(); }
    /// The filtered picture that is there; null if nothing is open, and as long as only the device has it: then
    /// resultFetched() follows. It is never written again as long as somebody holds it.
    [[nodiscard]] std::shared_ptr<const Image> result() const noexcept { return shown_.frame.image; }
    /// The same picture where the device of resultEngine() keeps it, else null. Held here no longer than it is shown.
    [[nodiscard]] std::shared_ptr<const DeviceFrame> deviceFrame() const noexcept { return shown_.frame.deviceFrame; }
    /// The engine that made result(); null if nothing is open. It outlives this.
    [[nodiscard]] Engine* resultEngine() const noexcept { return shown_.frame.engine; }
    [[nodiscard]] const FilterSpec& resultSpec() const noexcept { return shown_.frame.spec; }
    [[nodiscard]] const FilterReport& filterReport() const noexcept { return shown_.frame.report; }
    /// How bright a residue gets, or how high labels count (brightLevel() of result()); 0 for other outputs.
    [[nodiscard]] std::uint16_t resultBrightLevel() const noexcept { return shown_.frame.brightLevel; }

    [[nodiscard]] QString requestedEngine() const { return requestedEngine_; } ///< "auto", "cpu", "cuda"
    [[nodiscard]] QString engineName() const { return engineName_; }           ///< the one at work; empty at first
    [[nodiscard]] QString engineDevice() const { return engineDevice_; }

    /// Pages of this file, beside the one that is shown, that come back without work; and what they take, bytes.
    [[nodiscard]] int cachedPages() const noexcept { return cache_.pages; }
    [[nodiscard]] std::uint64_t cachedBytes() const noexcept { return cache_.bytes; }
    /// The file that errorOccurred() tells of, while it does, if the reason is that no reader knows its content.
    [[nodiscard]] QString unknownFormatPath() const { return unknownFormatPath_; }

    /// How the other pages of the file are filtered as this one is.
    [[nodiscard]] PageFilter pageFilter() const;

    [[nodiscard]] const LatestWinsWorker& worker() const noexcept { return worker_; }

    /// Where the sizes that were set for folders are kept; it must outlive this.
    void keepFolderSizes(FolderSizes& sizes) { folderSizes_ = &sizes; }

    /// Whether tree() and the filtered picture are those that are wanted; else others are on their way or held back.
    [[nodiscard]] bool isResultAsWanted() const;
    /// Whether tree() is the requested one: by its spec, domain, earlier filters and engine.
    [[nodiscard]] bool isTreeAsWanted() const;
    /// Whether another tree is to be built as soon as what holds it back is gone.
    [[nodiscard]] bool isTreeHeld() const noexcept { return buildHeld_; }
    /// While one lives, other trees and filters are gathered: one picture follows, without those in between. Ask for
    /// the tree first.
    class Hold {
    public:
        explicit Hold(DocumentViewModel& document) : document_(document) { ++document_.holds_; }
        ~Hold() { document_.release(); }
        Hold(const Hold&) = delete;
        Hold& operator=(const Hold&) = delete;
        Hold(Hold&&) = delete;
        Hold& operator=(Hold&&) = delete;

    private:
        DocumentViewModel& document_;
    };

public slots:
    /// Opens a page of a file; ends with documentChanged() or errorOccurred().
    void open(const QString& path, int page = 0);
    /// Opens exactly this; ends as open() does.
    void openAs(const pollard::vm::OpenRequest& request);
    /// The same, whatever memory it needs; nor is it asked about the other pages.
    void openAnyway(const pollard::vm::OpenRequest& request);
    /// What files may claim; for what is opened from now on.
    void setReadLimits(const pollard::ReadLimits& limits) { rules_.limits = limits; }
    /// Whether a picture that needs more than half of the memory ends in decisionNeeded() first.
    void setAskAboutMemory(bool ask) { rules_.askFirst = ask; }
    /// Main memory for the trees of pages that were shown before; 0 keeps none.
    void setCacheBudget(std::uint64_t bytes) { rules_.cacheBytes = bytes; }
    void close();
    /// Stops load, build and save, waiting or running; what was there before stays.
    void cancel();
    void setPage(int page);
    void setChannel(const pollard::ChannelChoice& channel);
    void setChannelName(const QString& name);
    /// How signed, wide and floating-point values become levels; reads the page again.
    void setMapping(const pollard::MappingChoice& mapping);
    /// Another of ImageInfo::levels, all of it.
    void setLevel(int level);
    /// Reads only this part, in px of the level; all of it if empty.
    void setReadRegion(const std::optional<pollard::PixelRegion>& region);
    /// Every factor x factor px become one.
    void setShrink(int factor);
    /// Size of a pixel of the page at full resolution; nothing: that of the file or the folder.
    void setPixelSize(const std::optional<pollard::PixelSize>& size);
    /// The same for all pictures of the folder of path() whose files state none.
    void setFolderPixelSize(const std::optional<pollard::PixelSize>& size);
    /// Takes over a change of the sizes of folders.
    void adoptPixelSize();
    /// Restricts the analysis to these pixels (null: none) and builds the tree anew. The mask has the size of image();
    /// it is dropped when a picture of another size or another file is opened.
    void setDomain(const std::shared_ptr<const pollard::Mask>& domain);
    /// Does these filters first and builds the tree of what they leave. They stay, as the filter at hand does: their
    /// regions follow when another part of the file is read, and are left out for another file, as components that were
    /// picked by hand are for every other picture. Without a picture they are for the first one.
    void setEarlierFilters(const pollard::FilterStages& stages);
    void setTreeKind(pollard::TreeKind kind);
    void setConnectivity(pollard::Connectivity connectivity);
    void setTreeSpec(const pollard::TreeSpec& spec);
    /// "auto", "cpu", "cuda"; an open image moves to that engine.
    void setEngine(const QString& name);
    /// Filters with this spec, latest wins; ends with frameReady().
    void requestFilter(const pollard::FilterSpec& spec);
    /// Measures an attribute of the present tree; ends with attributeReady(id), at once if it is known.
    void requestAttribute(pollard::AttributeId id);
    /// Counts components where the engine has their attributes, latest wins; ends with planeCounted(), unless another
    /// tree comes first.
    void requestPlane(const std::shared_ptr<const pollard::vm::PlaneRequest>& request);
    /// Writes result() with the tags of the source; ends with saved(path) or errorOccurred().
    void saveFiltered(const QString& path);
    /// Filters every page as the present one is filtered (same channel, range, part, tree, domain) and writes the
    /// pictures as the pages of one TIFF; ends with saved(path) or errorOccurred().
    void saveAllPages(const QString& path);

signals:
    /// Another picture, or none, is about to replace the one that is shown.
    void documentAboutToChange(const pollard::vm::OpenRequest& request);
    void stateChanged();
    void busyChanged();
    void filteringChanged();
    void progressChanged();
    void documentChanged(); ///< another image (or none): path, title, page, image, info, histogram
    /// The same picture has another pixel size, or that of its folder is another one.
    void pixelSizeChanged();
    /// The reading was to be changed and stays as it is, because another file is on its way.
    void readingKept();
    void treeSpecChanged();
    void domainChanged();
    void earlierFiltersChanged(); ///< follows documentChanged()
    void cacheChanged();
    /// What was to be opened needs more than half of the memory that is there; nothing was opened. Answer with
    /// openAnyway(), or not at all.
    void decisionNeeded(const pollard::vm::MemoryPlan& plan, const pollard::vm::OpenRequest& request);
    void treeChanged(); ///< another tree (or none); follows documentChanged()
    void attributeReady(pollard::AttributeId id);
    /// @param plane null if it failed, for the reason that is given
    void planeCounted(const std::shared_ptr<const pollard::vm::PlaneRequest>& request,
                      const std::shared_ptr<const pollard::AttributePlane>& plane, const QString& problem);
    void resultFetched(); ///< result() is there, some time after frameReady()
    void frameReady();    ///< another filtered picture (or none); follows treeChanged()
    void engineChanged();
    void lastErrorChanged();
    void saved(const QString& path);
    /// Something failed; nothing was lost.
    void errorOccurred(const QString& title, const QString& text);
    /// Something a person should know, that is no failure (e.g. the CPU took over from a GPU).
    void noticeRaised(const QString& text);

private:
    using Generation = LatestWinsWorker::Generation;
    /// Reads what the last request becomes when @p change is applied to it; nothing if it stays the same.
    template <class Change> void readWith(const Change& change);
    void postLoad(const OpenRequest& request);
    void postBuild();
    void postFilter();
    void postMeasure();
    void postNextSave();
    /// Tells that saves whose picture was still to be filtered will not happen.
    void dropUnmadeSaves();
    void onLoaded(const OpenRequest& request, Generation generation, const JobOutcome& outcome, LoadResult& result);
    void onBuilt(Generation generation, const JobOutcome& outcome, TreeResult& result);
    void onFiltered(Generation generation, const JobOutcome& outcome, FrameResult& result);
    void onFetched(const std::shared_ptr<const DeviceFrame>& frame, const JobOutcome& outcome,
                   const std::shared_ptr<const Image>& image);
    void onSaved(const QString& path, const JobOutcome& outcome);
    void adoptEngine(const EngineUse& use);
    void announceTree();
    /// A job that was to be stopped may have ended before it noticed, with a tree that is no longer wanted.
    void buildIfNotAsWanted();
    /// Goes back to the tree, domain, earlier filters and engine that are there.
    void revertTreeChoice();
    /// A filter that was to come with a tree that did not.
    void filterIfNotAsWanted();
    [[nodiscard]] std::optional<PixelSize> statedSizeFor(const OpenRequest& request) const;
    /// Puts the stated size into the facts. @returns whether they differ from before
    bool statePixelSize();
    /// Of earlier filters for another picture.
    [[nodiscard]] FilterStages stagesFor(const OpenRequest& request) const;
    void takeEarlier(const FilterStages& stages);
    [[nodiscard]] ResultValues resultValues(Output output) const;
    void release();
    void takeCache(const CacheUse& use);
    void onQuestion(const OpenRequest& request, const MemoryPlan& plan);
    void takeDomain(const std::shared_ptr<const Mask>& domain);
    void fail(const QString& title, const JobOutcome& outcome);
    void setLastError(const QString& text);
    void updateActivity();
    void setProgress(double fraction, const QString& text);
    [[nodiscard]] TreeRequest treeRequest() const;

    State state_ = State::empty;
    bool busy_ = false;
    bool filtering_ = false;
    bool openFailed_ = false;
    double progress_ = 0;
    QString progressText_;
    QString lastError_;

    DocumentContents shown_;
    bool resultPyramidWanted_ = true;
    // What is wanted.
    TreeSpec treeSpec_;
    std::shared_ptr<const Mask> domain_;
    FilterStages earlier_;
    FilterSpec filterSpec_;
    AttributeId lastRequestedAttribute_ = AttributeId::area;
    QString requestedEngine_ = QStringLiteral("auto");

    QString adoptedEngine_ = QStringLiteral("auto"); ///< what was requested for the tree that is there
    QString engineName_;
    QString engineDevice_;

    /// The newest post of each lane while its report is outstanding, else 0.
    Generation loadGeneration_ = 0;
    Generation buildGeneration_ = 0;
    Generation filterGeneration_ = 0;
    int holds_ = 0;
    bool buildHeld_ = false;
    bool filterHeld_ = false;
    std::optional<OpenRequest> loading_;
    std::optional<OpenRequest> decided_; ///< of the stack that was to be opened whatever it needs
    LoadRules rules_;
    CacheUse cache_;
    QString unknownFormatPath_;
    FolderSizes* folderSizes_ = nullptr;

    ProgressRelay progressRelay_;
    std::shared_ptr<DocumentJobs> jobs_; ///< touched by the worker's thread only
    LatestWinsWorker worker_;            ///< its thread ends before what is above goes
    SaveQueue saves_;
    ResultFetch fetch_;
};

} // namespace pollard::vm
