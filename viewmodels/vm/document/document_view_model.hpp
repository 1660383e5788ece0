#pragma once

#include "vm/base/latest_wins_worker.hpp"
#include "vm/document/document_choices.hpp"
#include "vm/document/document_contents.hpp"
#include "vm/document/jobs/document_jobs.hpp"
#include "vm/document/jobs/document_reading.hpp"
#include "vm/document/jobs/document_saving.hpp"
#include "vm/document/jobs/job_types.hpp"

#include <QObject>
#include <QString>

#include <memory>

namespace pollard::vm {

/// One open image with its tree, its attributes and the filtered image. Owns the worker that runs all slow
/// jobs on the engine session, one after the other; setters return at once and signals report the end.
///
/// Opening is all or nothing: until the new image and its tree are complete, and after failure or cancellation, all
/// getters describe the previous document.
///
/// Longer than its parts, because posting and taking over the results of load, build and filter are one state machine.
class DocumentViewModel : public QObject {
    Q_OBJECT

public:
    explicit DocumentViewModel(DocumentServices services, QObject* parent = nullptr);

    [[nodiscard]] const DocumentActivity& activity() const noexcept { return activity_; }
    [[nodiscard]] DocumentReading& reading() noexcept { return reading_; }
    [[nodiscard]] const DocumentReading& reading() const noexcept { return reading_; }
    [[nodiscard]] DocumentChoices& choices() noexcept { return choices_; }
    [[nodiscard]] const DocumentChoices& choices() const noexcept { return choices_; }
    [[nodiscard]] DocumentPixelSizes& pixelSizes() noexcept { return pixelSizes_; }
    [[nodiscard]] const DocumentPixelSizes& pixelSizes() const noexcept { return pixelSizes_; }
    [[nodiscard]] DocumentSaving& saving() noexcept { return saving_; }
    /// The filtered voxels of all slices of a volume.
    [[nodiscard]] VolumeFetch& volumeFetch() noexcept { return volumeFetch_; }
    [[nodiscard]] const LatestWinsWorker& worker() const noexcept { return worker_; }

    /// The displayed document. The functions below return its members.
    [[nodiscard]] const DocumentContents& shown() const noexcept { return shown_; }
    [[nodiscard]] bool hasImage() const noexcept { return shown_.image != nullptr; }
    [[nodiscard]] QString path() const { return shown_.request.path; } ///< absolute; empty if nothing is open
    [[nodiscard]] QString name() const;  ///< of the file, or of the folder of a series of files
    [[nodiscard]] QString title() const; ///< name, with the page or slice if there are several
    /// The displayed page, 0-based; in a volume the page of the seen slice.
    [[nodiscard]] int page() const noexcept {
        return isVolume() && shown_.info ? shown_.info->page : shown_.request.page;
    }
    [[nodiscard]] int pageCount() const noexcept { return shown_.info ? shown_.info->pages : 0; }
    [[nodiscard]] bool isVolume() const noexcept { return shown_.volume != nullptr; }
    [[nodiscard]] int sliceCount() const noexcept {
        return isVolume() ? static_cast<int>(shown_.volume->extent().slices) : 1;
    }
    /// The slice of the volume that is seen, or that was requested and is being prepared, 0-based; 0 in images.
    [[nodiscard]] int slice() const noexcept { return wantedSlice_; }
    /// All null if no document is open. Of a volume, the image, the input and the result are the seen slice; the tree
    /// covers all voxels.
    [[nodiscard]] std::shared_ptr<const ImageInfo> imageInfo() const noexcept { return shown_.info; }
    [[nodiscard]] std::shared_ptr<const Image> image() const noexcept { return shown_.image; }
    /// image() after the earlier filters, the source of the tree; image() itself without earlier filters.
    [[nodiscard]] std::shared_ptr<const Image> input() const noexcept {
        return shown_.input ? shown_.input : shown_.image;
    }
    /// The displayed file, page or volume, and reading.
    [[nodiscard]] const OpenRequest& request() const noexcept { return shown_.request; }
    /// Whether a request leads to the displayed image or volume; any page of a volume does.
    [[nodiscard]] bool shows(const OpenRequest& request) const;
    /// The request for the displayed page alone; in a volume for the page of the seen slice.
    [[nodiscard]] OpenRequest pageRequest() const;
    [[nodiscard]] std::shared_ptr<const ComponentTree> tree() const noexcept { return shown_.tree; }
    /// An attribute of the tree; null until attributeReady(id).
    [[nodiscard]] std::shared_ptr<const AttributeColumn> attribute(AttributeId id) const noexcept {
        return shown_.attribute(id);
    }
    [[nodiscard]] bool hasResult() const noexcept { return shown_.hasResult(); }
    /// The filtered image; null if no document is open, and while only the device has it: resultFetched() follows.
    [[nodiscard]] std::shared_ptr<const Image> result() const noexcept { return shown_.frame.image; }
    [[nodiscard]] const FilterSpec& resultSpec() const noexcept { return shown_.frame.spec; }

    /// Filter for other pages of the file, as for this one.
    [[nodiscard]] PageFilter pageFilter() const;
    /// The engine of the shown image, then the fallback, see onFirstThatWorks().
    [[nodiscard]] std::vector<Engine*> engines() const;
    /// A display that shows device frames without a copy to main memory needs no pyramids of results. Switching them on
    /// again makes the present image again with one.
    void setResultPyramidWanted(bool wanted);

    /// Opens a page of a file, or a resolution level that fits; ends with imageChanged(), errorOccurred() or
    /// decisionNeeded().
    void open(const QString& path, int page = 0);
    /// Opens exactly this request; ends as open() does.
    void openAs(const OpenRequest& request) { postLoad(request); }
    /// Opens a page without a memory check for this and the other pages.
    void openAnyway(const OpenRequest& request);
    /// Opens nothing; ends with decisionNeeded() or errorOccurred().
    void askAbout(const OpenRequest& request);
    void close();
    /// Stops load, build and save, waiting or running; the present document stays.
    void cancel();
    /// Filters with this spec; a newer request replaces an older one. Ends with frameReady().
    void requestFilter(const FilterSpec& spec);
    /// Shows another slice of the volume, clamped to its slices; a newer request replaces an older one. Ends with
    /// sliceChanged().
    void setSlice(int slice);
    /// Opens the slices of this file as one volume, or as pages; the seen slice stays. Later files with slices open in
    /// the same way. Ends as open() does.
    void setVolume(bool volume);
    /// Sets how slices are opened, with a projection if they are pages.
    void setSlices(Slices slices, const std::optional<Projection>& projection = {});
    /// Whether setSlices() has slices to join.
    [[nodiscard]] bool canBeVolume() const;
    /// Measures an attribute of the present tree; ends with attributeReady(id), at once if it is measured.
    void requestAttribute(AttributeId id);
    /// Counts components where the engine has their attributes; a newer request replaces an older one. Ends with
    /// planeCounted(), unless another tree comes first.
    void requestPlane(const std::shared_ptr<const PlaneRequest>& request);
    /// Cuts the volume and its result; a newer request replaces an older one. Ends with sectionsReady(), unless another
    /// volume comes first. @pre isVolume()
    void requestSections(const std::vector<VolumePlane>& planes);

signals:
    /// Another image, or none, is about to replace the displayed one.
    void documentAboutToChange(const pollard::vm::OpenRequest& request);
    void imageChanged();    ///< another image, of this or another document (or none), with its info and histogram
    void hasImageChanged(); ///< follows imageChanged()
    void titleChanged();    ///< follows imageChanged()
    /// The requested image needs more than half of the available memory, or askAbout() was called; it was not opened.
    /// openAnyway() opens it.
    void decisionNeeded(const pollard::vm::MemoryPlan& plan, const pollard::vm::OpenRequest& request);
    void sliceWanted();  ///< another slice was requested
    void sliceChanged(); ///< another slice of the volume is displayed; frameReady() follows
    void treeChanged();  ///< another tree (or none); follows imageChanged()
    void attributeReady(pollard::AttributeId id);
    /// @param plane null after an error, with its reason
    void planeCounted(const std::shared_ptr<const pollard::vm::PlaneRequest>& request,
                      const std::shared_ptr<const pollard::AttributePlane>& plane, const QString& problem);
    /// @param sections of the requested planes; none after an error, with its reason
    void sectionsReady(const std::vector<pollard::vm::ShownSlice>& sections, const QString& problem);
    void resultFetched(); ///< result() is in main memory, some time after frameReady()
    void frameReady();    ///< another filtered image (or none); follows treeChanged()
    /// Information that is no failure (e.g. the CPU took over from a GPU).
    void noticeRaised(const QString& text);

private:
    using Generation = LatestWinsWorker::Generation;
    /// Posts @p work on the jobs; @p done gets its result with the number and the outcome.
    /// @param what for the progress display; empty for a job without progress
    template <class Work, class Done> Generation post(Lane lane, const QString& what, Work work, Done done);
    void postLoad(const OpenRequest& asked, bool askAlways = false);
    void postBuild();
    void postFilter();
    void postMeasure();
    void postNextSave();
    void onLoaded(const OpenRequest& request, Generation generation, const JobOutcome& outcome, LoadResult& result);
    void onOpened(const OpenRequest& request, const OpenRequest& opened, LoadResult& result);
    void onNotOpened(const OpenRequest& request, bool newest, const JobOutcome& outcome, const LoadResult& result);
    /// Filters again if a bound has a unit.
    void onPixelSize();
    void onBuilt(Generation generation, const JobOutcome& outcome, TreeResult& result);
    void onFiltered(Generation generation, const JobOutcome& outcome, FrameResult& result);
    void onSlice(Generation generation, const JobOutcome& outcome, ShownSlice& result);
    void onSections(const Image* volume, const JobOutcome& outcome, SectionsResult& result);
    void onFetched(const DeviceSlice& slice, const JobOutcome& outcome, const std::shared_ptr<const Image>& image);
    void onReleased(bool tree, bool filter);
    void adoptEngine(const EngineUse& use);
    void announceDocument(bool otherFilters);
    void announceTitle();
    void announceTree();
    void announceFrame();
    /// A cancelled job may have ended before it noticed, with a tree that is not the requested one.
    void buildIfNotAsWanted();
    /// Posts the filter if the tree that should have brought it did not come.
    void filterIfNotAsWanted();
    void updateActivity();

    DocumentContents shown_;
    QString announcedTitle_; ///< empty without an image
    int wantedSlice_ = 0;
    bool resultPyramidWanted_ = true;
    bool openFailed_ = false;
    /// The newest post of each lane until its report, else 0.
    Generation loadGeneration_ = 0;
    Generation buildGeneration_ = 0;
    Generation filterGeneration_ = 0;
    Generation sliceGeneration_ = 0;

    DocumentActivity activity_;
    DocumentReading reading_;
    DocumentChoices choices_;
    DocumentPixelSizes pixelSizes_;
    ProgressRelay progressRelay_;
    std::shared_ptr<DocumentJobs> jobs_; ///< used by jobs of the worker only
    LatestWinsWorker worker_;            ///< its job ends before the members above are destroyed
    DocumentSaving saving_;
    ResultFetch fetch_;
    VolumeFetch volumeFetch_;
};

} // namespace pollard::vm
