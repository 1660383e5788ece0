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

/// One open image with its tree, its attributes and the filtered picture. Owns the compute thread, on which the engine
/// session lives and every slow job runs; setters return at once and signals report the end.
///
/// Opening is all or nothing: until the new image and its tree are complete, and after failure or cancellation, all
/// getters describe the previous document.
///
/// The pixel size is the one set for the picture, else that of the file, else the one set for all pictures of the
/// folder. Setting it reads nothing again; pages of a file share it.
class DocumentViewModel : public QObject {
    Q_OBJECT

public:
    enum class State {
        empty,    ///< no document is open
        loading,  ///< a file is being read (a previous document may still be displayed: hasImage())
        building, ///< a tree is being built
        ready,    ///< image, tree and filtered picture are present
        failed,   ///< the last open failed without a previous document; see lastError()
    };

    explicit DocumentViewModel(DocumentServices services, QObject* parent = nullptr);
    ~DocumentViewModel() override;

    [[nodiscard]] State state() const noexcept { return state_; }
    /// A load, a build or a save waits or runs; cancel() stops it.
    [[nodiscard]] bool isBusy() const noexcept { return busy_; }
    /// A filter job waits or runs.
    [[nodiscard]] bool isFiltering() const noexcept { return filtering_; }
    [[nodiscard]] double progress() const noexcept { return progress_; } ///< 0..1 of the running job
    [[nodiscard]] QString progressText() const { return progressText_; } ///< "Opening x.tif: merge"
    [[nodiscard]] QString lastError() const { return lastError_; }

    [[nodiscard]] bool hasImage() const noexcept { return shown_.image != nullptr; }
    [[nodiscard]] QString path() const { return shown_.request.path; } ///< absolute; empty if nothing is open
    [[nodiscard]] QString title() const; ///< file name, with the page if there are several
    [[nodiscard]] int page() const noexcept { return shown_.request.page; } ///< 0-based
    [[nodiscard]] int pageCount() const noexcept;
    /// The displayed page, or the one being loaded from the same file, 0-based.
    [[nodiscard]] int wantedPage() const { return isOpeningAnother() ? page() : presentRequest().page; }
    /// Another file is being loaded while one is displayed. Until then the reading of neither can be changed: see
    /// readingKept().
    [[nodiscard]] bool isOpeningAnother() const;
    [[nodiscard]] ChannelChoice channel() const noexcept { return shown_.request.channel; }
    [[nodiscard]] QString channelName() const; ///< "luminance", "red" ... as ChannelChoice::parse reads it
    /// Names of the file's channels; one entry for a grey image.
    [[nodiscard]] QStringList channelNames() const;
    /// All null if no document is open.
    [[nodiscard]] std::shared_ptr<const ImageInfo> imageInfo() const noexcept { return shown_.info; }
    [[nodiscard]] std::shared_ptr<const Image> image() const noexcept { return shown_.image; }
    /// Pixels of image() with data; null for all. The others are displayed as transparent.
    [[nodiscard]] std::shared_ptr<const Mask> valid() const noexcept { return shown_.valid; }
    /// The analysed region; null for the whole picture. While state() is building, the tree may be that of another
    /// region. Pixels outside and those without data are excluded.
    [[nodiscard]] std::shared_ptr<const Mask> domain() const noexcept { return domain_; }
    /// The requested filters before the current one, on and off. While state() is building, the tree may be that of
    /// other filters.
    [[nodiscard]] const FilterStages& earlierFilters() const noexcept { return earlier_; }
    /// image() after the earlier filters, the source of the tree; image() itself without them. Null if no document is
    /// open.
    [[nodiscard]] std::shared_ptr<const Image> input() const noexcept {
        return shown_.input ? shown_.input : shown_.image;
    }
    /// The displayed file, page and reading.
    [[nodiscard]] const OpenRequest& request() const noexcept { return shown_.request; }
    /// The displayed request, or the one being loaded.
    [[nodiscard]] OpenRequest presentRequest() const;
    /// Size of a pixel of image(), if known.
    [[nodiscard]] std::optional<PixelSize> pixelSize() const;
    /// The same as in the file.
    [[nodiscard]] std::optional<PixelSize> filePixelSize() const;
    /// Size set for pictures of the folder of path(), of a pixel at full resolution.
    [[nodiscard]] std::optional<PixelSize> folderPixelSize() const;
    /// Size set by the user and in use, for this picture or its folder, of a pixel at full resolution.
    [[nodiscard]] std::optional<PixelSize> statedPixelSize() const { return statedSizeFor(shown_.request); }
    /// How the page is reduced ("shrunk by 4"); empty if it is not.
    [[nodiscard]] QString reductionText() const { return hasImage() ? shown_.request.reductionText() : QString(); }
    /// image() at decreasing resolutions; null if no document is open.
    [[nodiscard]] std::shared_ptr<const Pyramid> imagePyramid() const noexcept { return shown_.pyramid; }
    /// The same for result(); may be null while setResultPyramidWanted(false).
    [[nodiscard]] std::shared_ptr<const Pyramid> resultPyramid() const noexcept { return shown_.frame.pyramid; }
    /// A display that shows device frames without a copy to main memory needs no pyramids of results. Switching them on
    /// again makes the present picture again with one.
    void setResultPyramidWanted(bool wanted);
    [[nodiscard]] std::shared_ptr<const LevelHistogram> levelHistogram() const noexcept { return shown_.histogram; }

    /// The requested tree; while state() is building, the present tree may be another one.
    [[nodiscard]] const TreeSpec& treeSpec() const noexcept { return treeSpec_; }
    [[nodiscard]] TreeKind treeKind() const noexcept { return treeSpec_.kind; }
    [[nodiscard]] Connectivity connectivity() const noexcept { return treeSpec_.connectivity; }
    [[nodiscard]] std::shared_ptr<const ComponentTree> tree() const noexcept { return shown_.tree; }
    /// Node of every pixel of tree() where the device of treeEngine() keeps it, else null. Release it when it is no
    /// longer displayed.
    [[nodiscard]] std::shared_ptr<const DevicePixels> deviceNodes() const noexcept { return shown_.deviceNodes; }
    /// The engine that built tree(); null if no document is open. It outlives this object.
    [[nodiscard]] Engine* treeEngine() const noexcept { return shown_.treeEngine; }
    [[nodiscard]] const TreeReport& treeReport() const noexcept { return shown_.treeReport; }
    /// Null until attributeReady(id) for this tree.
    [[nodiscard]] std::shared_ptr<const AttributeColumn> attribute(AttributeId id) const noexcept {
        return shown_.attribute(id);
    }

    /// The last requested filter.
    [[nodiscard]] const FilterSpec& filterSpec() const noexcept { return filterSpec_; }
    /// Whether a filtered picture exists: result(), or deviceFrame() until it arrives.
    [[nodiscard]] bool hasResult() const noexcept { return result() || deviceFrame(); }
    /// The filtered picture; null if no document is open, and while only the device has it: resultFetched() follows.
    /// Its pixels stay constant while a reference exists.
    [[nodiscard]] std::shared_ptr<const Image> result() const noexcept { return shown_.frame.image; }
    /// The same picture where the device of resultEngine() keeps it, else null. Held only while displayed.
    [[nodiscard]] std::shared_ptr<const DeviceFrame> deviceFrame() const noexcept { return shown_.frame.deviceFrame; }
    /// The engine that made result(); null if no document is open. It outlives this object.
    [[nodiscard]] Engine* resultEngine() const noexcept { return shown_.frame.engine; }
    [[nodiscard]] const FilterSpec& resultSpec() const noexcept { return shown_.frame.spec; }
    [[nodiscard]] const FilterReport& filterReport() const noexcept { return shown_.frame.report; }
    /// brightLevel() of result(), a residue or labels; 0 for other outputs.
    [[nodiscard]] std::uint16_t resultBrightLevel() const noexcept { return shown_.frame.brightLevel; }

    [[nodiscard]] QString requestedEngine() const { return requestedEngine_; } ///< "auto", "cpu", "cuda"
    [[nodiscard]] QString engineName() const { return engineName_; }           ///< the engine in use; initially empty
    [[nodiscard]] QString engineDevice() const { return engineDevice_; }

    /// Cached pages of this file beside the displayed one, and their memory, bytes.
    [[nodiscard]] int cachedPages() const noexcept { return cache_.pages; }
    [[nodiscard]] std::uint64_t cachedBytes() const noexcept { return cache_.bytes; }
    /// The file of the last errorOccurred() if no reader supports its format; else empty.
    [[nodiscard]] QString unknownFormatPath() const { return unknownFormatPath_; }

    /// Filter for other pages of the file, as for this one.
    [[nodiscard]] PageFilter pageFilter() const;

    [[nodiscard]] const LatestWinsWorker& worker() const noexcept { return worker_; }

    /// Storage of the sizes set for folders; must outlive this.
    void keepFolderSizes(FolderSizes& sizes) { folderSizes_ = &sizes; }

    /// Whether tree() and the filtered picture are the requested ones; else others are being made or are held back.
    [[nodiscard]] bool isResultAsWanted() const;
    /// Whether tree() is the requested one: by its spec, domain, earlier filters and engine.
    [[nodiscard]] bool isTreeAsWanted() const;
    /// Whether another tree is to be built when the last Hold is released.
    [[nodiscard]] bool isTreeHeld() const noexcept { return buildHeld_; }
    /// While one exists, changes of trees and filters are collected and lead to one picture. Request the tree first.
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
    /// Opens exactly this request; ends as open() does.
    void openAs(const pollard::vm::OpenRequest& request);
    /// The same without a memory check, for this and the other pages.
    void openAnyway(const pollard::vm::OpenRequest& request);
    /// Limits on the claims of files opened from this call on.
    void setReadLimits(const pollard::ReadLimits& limits) { rules_.limits = limits; }
    /// Whether a picture that needs more than half of the memory leads to decisionNeeded() first.
    void setAskAboutMemory(bool ask) { rules_.askFirst = ask; }
    /// Main memory for trees of cached pages; 0 keeps none.
    void setCacheBudget(std::uint64_t bytes) { rules_.cacheBytes = bytes; }
    void close();
    /// Stops load, build and save, waiting or running; the present document stays.
    void cancel();
    void setPage(int page);
    void setChannel(const pollard::ChannelChoice& channel);
    void setChannelName(const QString& name);
    /// How signed, wide and floating-point values become levels; reads the page again.
    void setMapping(const pollard::MappingChoice& mapping);
    /// Another of ImageInfo::levels, completely.
    void setLevel(int level);
    /// Reads only this part, in px of the level; all if empty.
    void setReadRegion(const std::optional<pollard::PixelRegion>& region);
    /// Averages blocks of factor x factor px.
    void setShrink(int factor);
    /// Size of a pixel of the page at full resolution; empty: that of the file or the folder.
    void setPixelSize(const std::optional<pollard::PixelSize>& size);
    /// The same for all pictures of the folder of path() without a size in their files.
    void setFolderPixelSize(const std::optional<pollard::PixelSize>& size);
    /// Applies a change of the folder sizes.
    void adoptPixelSize();
    /// Restricts the analysis to these pixels (null: none) and builds the tree again. The mask has the size of image();
    /// it is dropped when a picture of another size or another file is opened.
    void setDomain(const std::shared_ptr<const pollard::Mask>& domain);
    /// Applies these filters first and builds the tree of their result. Like the current filter, they stay for other
    /// pictures: regions are moved when another part of the file is read and dropped for another file; hand-picked
    /// components are dropped for every other picture. Without a picture they apply to the first one.
    void setEarlierFilters(const pollard::FilterStages& stages);
    void setTreeKind(pollard::TreeKind kind);
    void setConnectivity(pollard::Connectivity connectivity);
    void setTreeSpec(const pollard::TreeSpec& spec);
    /// "auto", "cpu", "cuda"; an open image moves to that engine.
    void setEngine(const QString& name);
    /// Filters with this spec; a newer request replaces an older one. Ends with frameReady().
    void requestFilter(const pollard::FilterSpec& spec);
    /// Measures an attribute of the present tree; ends with attributeReady(id), at once if it is measured.
    void requestAttribute(pollard::AttributeId id);
    /// Counts components where the engine has their attributes; a newer request replaces an older one. Ends with
    /// planeCounted(), unless another tree comes first.
    void requestPlane(const std::shared_ptr<const pollard::vm::PlaneRequest>& request);
    /// Writes result() with the tags of the source; ends with saved(path) or errorOccurred().
    void saveFiltered(const QString& path);
    /// Filters every page like the present one (same channel, range, part, tree, domain) and writes the pictures as the
    /// pages of one TIFF; ends with saved(path) or errorOccurred().
    void saveAllPages(const QString& path);

signals:
    /// Another picture, or none, is about to replace the displayed one.
    void documentAboutToChange(const pollard::vm::OpenRequest& request);
    void stateChanged();
    void busyChanged();
    void filteringChanged();
    void progressChanged();
    void documentChanged(); ///< another image (or none): path, title, page, image, info, histogram
    /// The pixel size of the picture or of its folder has changed.
    void pixelSizeChanged();
    /// A change of the reading was rejected, because another file is being loaded.
    void readingKept();
    void treeSpecChanged();
    void domainChanged();
    void earlierFiltersChanged(); ///< follows documentChanged()
    void cacheChanged();
    /// The requested picture needs more than half of the available memory and was not opened. openAnyway() opens it.
    void decisionNeeded(const pollard::vm::MemoryPlan& plan, const pollard::vm::OpenRequest& request);
    void treeChanged(); ///< another tree (or none); follows documentChanged()
    void attributeReady(pollard::AttributeId id);
    /// @param plane null after an error, with its reason
    void planeCounted(const std::shared_ptr<const pollard::vm::PlaneRequest>& request,
                      const std::shared_ptr<const pollard::AttributePlane>& plane, const QString& problem);
    void resultFetched(); ///< result() is in main memory, some time after frameReady()
    void frameReady();    ///< another filtered picture (or none); follows treeChanged()
    void engineChanged();
    void lastErrorChanged();
    void saved(const QString& path);
    /// An operation failed without loss of data.
    void errorOccurred(const QString& title, const QString& text);
    /// Information that is no failure (e.g. the CPU took over from a GPU).
    void noticeRaised(const QString& text);

private:
    using Generation = LatestWinsWorker::Generation;
    /// Reads the last request changed by @p change; does nothing if that leaves it equal.
    template <class Change> void readWith(const Change& change);
    void postLoad(const OpenRequest& request);
    void postBuild();
    void postFilter();
    void postMeasure();
    void postNextSave();
    /// Reports that saves waiting for a filtered picture are cancelled.
    void dropUnmadeSaves();
    void onLoaded(const OpenRequest& request, Generation generation, const JobOutcome& outcome, LoadResult& result);
    void onBuilt(Generation generation, const JobOutcome& outcome, TreeResult& result);
    void onFiltered(Generation generation, const JobOutcome& outcome, FrameResult& result);
    void onFetched(const std::shared_ptr<const DeviceFrame>& frame, const JobOutcome& outcome,
                   const std::shared_ptr<const Image>& image);
    void onSaved(const QString& path, const JobOutcome& outcome);
    void adoptEngine(const EngineUse& use);
    void announceTree();
    /// A cancelled job may have ended before it noticed, with a tree that is not the requested one.
    void buildIfNotAsWanted();
    /// Returns to the present tree, domain, earlier filters and engine.
    void revertTreeChoice();
    /// Posts the filter if the tree that should have brought it did not come.
    void filterIfNotAsWanted();
    [[nodiscard]] std::optional<PixelSize> statedSizeFor(const OpenRequest& request) const;
    /// Puts the size set by the user into the facts. @returns whether they changed
    bool statePixelSize();
    /// Earlier filters for another picture.
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
    // Requested.
    TreeSpec treeSpec_;
    std::shared_ptr<const Mask> domain_;
    FilterStages earlier_;
    FilterSpec filterSpec_;
    AttributeId lastRequestedAttribute_ = AttributeId::area;
    QString requestedEngine_ = QStringLiteral("auto");

    QString adoptedEngine_ = QStringLiteral("auto"); ///< requested for the present tree
    QString engineName_;
    QString engineDevice_;

    /// The newest post of each lane until its report, else 0.
    Generation loadGeneration_ = 0;
    Generation buildGeneration_ = 0;
    Generation filterGeneration_ = 0;
    int holds_ = 0;
    bool buildHeld_ = false;
    bool filterHeld_ = false;
    std::optional<OpenRequest> loading_;
    std::optional<OpenRequest> decided_; ///< the stack to open without a memory check
    LoadRules rules_;
    CacheUse cache_;
    QString unknownFormatPath_;
    FolderSizes* folderSizes_ = nullptr;

    ProgressRelay progressRelay_;
    std::shared_ptr<DocumentJobs> jobs_; ///< used by the worker's thread only
    LatestWinsWorker worker_;            ///< its thread ends before the members above are destroyed
    SaveQueue saves_;
    ResultFetch fetch_;
};

} // namespace pollard::vm
