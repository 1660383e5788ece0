#include "formats/tiff/tiff_decode.hpp"

#include "formats/tiff/tiff_blocks.hpp"
#include "io/read_support.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <mutex>
#include <optional>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>
#include <vector>

namespace pollard {

namespace {

/// Larger strips are decoded row by row, which limits memory and the delay of a stop. Smaller ones are decoded at once,
/// which is faster (libtiff then uses libdeflate).
constexpr std::uint64_t kWholeStripBytes = 8ULL << 20;
/// Decoded size below which one handle is used.
constexpr std::uint64_t kParallelBytes = 1ULL << 20;

/// Counts finished rows of blocks and reports them in ascending order.
class Progress {
public:
    Progress(const JobControl& control, std::uint64_t total) : control_(control), total_(total) {}

    /// @throws Cancelled
    void advance(std::uint64_t units) {
        {
            const std::scoped_lock lock(mutex_);
            done_ += units;
            control_.report(static_cast<double>(done_) / static_cast<double>(total_), kStage);
        }
        control_.throwIfStopped();
    }
    void finish() const { control_.report(1.0, kStage); }

private:
    static constexpr const char* kStage = "reading";
    const JobControl& control_;
    std::uint64_t total_;
    std::uint64_t done_ = 0;
    std::mutex mutex_;
};

/// Keeps the failure with the smallest block index, for any thread timing.
class FirstFailure {
public:
    [[nodiscard]] bool isBefore(std::uint64_t item) const noexcept { return item_.load() < item; }

    void keep(std::uint64_t item, std::exception_ptr failure) {
        const std::scoped_lock lock(mutex_);
        if (item < item_.load()) {
            item_ = item;
            failure_ = std::move(failure);
        }
    }
    void rethrow() const {
        if (failure_) {
            std::rethrow_exception(failure_);
        }
    }

private:
    std::atomic<std::uint64_t> item_{std::numeric_limits<std::uint64_t>::max()};
    std::mutex mutex_;
    std::exception_ptr failure_;
};

/// Data shared by all threads.
struct Task {
    const SourceFile& source;
    const TiffFacts& facts;
    const TiffStorage& storage;
    const TiffDecodeJob& job;
    TiffBlocks blocks;
    bool byRows;
    Progress& progress;
    TiffHandles* handles; ///< null if handles are not kept
};

/// A handle of one thread, given back at the end.
class OwnHandle {
public:
    explicit OwnHandle(const Task& task)
        : handles_(task.handles),
          handle_(handles_ != nullptr ? handles_->take(task.source, task.facts) : reopenTiff(task.source, task.facts)) {
    }
    OwnHandle(const OwnHandle&) = delete;
    OwnHandle& operator=(const OwnHandle&) = delete;
    ~OwnHandle() {
        if (handles_ != nullptr) {
            handles_->giveBack(std::move(handle_));
        }
    }

    [[nodiscard]] const TiffHandle& get() const noexcept { return handle_; }

private:
    TiffHandles* handles_;
    TiffHandle handle_;
};

/// Data of one thread.
class Worker {
public:
    Worker(const Task& task, const TiffHandle& handle) : task_(task), sink_(task.job.makeSink()) { open(handle); }
    explicit Worker(const Task& task) : task_(task), sink_(task.job.makeSink()) {
        ownHandles_.push_back(std::make_unique<OwnHandle>(task));
        open(ownHandles_.back()->get());
    }

    /// Decodes one strip or tile, in all required planes.
    void decode(std::uint32_t column, std::uint32_t row) {
        const TiffFacts& facts = task_.facts;
        const std::uint32_t top = row * facts.blockHeight;
        const std::uint32_t rows = std::min(facts.blockHeight, facts.height - top);
        if (task_.byRows) {
            decodeRows(row, top, rows);
            return;
        }
        bool complete = true;
        for (std::size_t p = 0; p < planes_.size(); ++p) {
            complete = decoders_[0]->decodeBlock(number(column, row, planes_[p]), rows, buffers_[p]) && complete;
        }
        for (std::uint32_t y = top; y < top + rows; ++y) {
            put(column * facts.blockWidth, y, (y - top) * facts.blockRowBytes(), !complete);
        }
        task_.progress.advance(rows);
    }

private:
    void open(const TiffHandle& handle) {
        const TiffFacts& facts = task_.facts;
        planes_ = facts.separate ? sink_->samples() : std::vector<int>{0};
        buffers_.resize(planes_.size());
        decoders_.push_back(std::make_unique<TiffBlockDecoder>(task_.source, handle, facts, task_.storage));
        // Reading rows of several planes in turn needs a handle per plane.
        while (task_.byRows && decoders_.size() < planes_.size()) {
            ownHandles_.push_back(std::make_unique<OwnHandle>(task_));
            decoders_.push_back(
                std::make_unique<TiffBlockDecoder>(task_.source, ownHandles_.back()->get(), facts, task_.storage));
        }
    }

    [[nodiscard]] std::uint32_t number(std::uint32_t column, std::uint32_t row, int plane) const {
        const TiffFacts& facts = task_.facts;
        return (static_cast<std::uint32_t>(plane) * facts.blocksDown() + row) * facts.blocksAcross() + column;
    }

    void decodeRows(std::uint32_t strip, std::uint32_t top, std::uint32_t rows) {
        std::vector<bool> missing;
        for (std::size_t p = 0; p < planes_.size(); ++p) {
            missing.push_back(decoders_[p]->isMissing(number(0, strip, planes_[p])));
            if (missing.back()) {
                buffers_[p].assign(task_.facts.blockRowBytes(), std::byte{0});
            }
        }
        const bool gap = std::find(missing.begin(), missing.end(), true) != missing.end();
        const PixelRegion& region = task_.job.region;
        const std::uint32_t first = firstRow(strip, top, missing);
        std::uint32_t reported = first - top;
        for (std::uint32_t y = first; y < std::min(top + rows, region.y + region.height); ++y) {
            for (std::size_t p = 0; p < planes_.size(); ++p) {
                if (!missing[p]) {
                    decoders_[p]->decodeRow(y, planes_[p], buffers_[p]);
                }
            }
            put(0, y, 0, gap);
            if ((y - top) % kRowsPerCheck == kRowsPerCheck - 1) {
                task_.progress.advance(y + 1 - top - reported);
                reported = y + 1 - top;
            }
        }
        task_.progress.advance(rows - reported);
    }

    /// Row of a strip from which all planes have to be decoded for the region.
    [[nodiscard]] std::uint32_t firstRow(std::uint32_t strip, std::uint32_t top,
                                         const std::vector<bool>& missing) const {
        const std::uint32_t wanted = std::max(task_.job.region.y, top);
        std::optional<std::uint32_t> first;
        for (std::size_t p = 0; p < planes_.size(); ++p) {
            if (missing[p]) {
                continue;
            }
            const std::uint32_t next = decoders_[p]->nextRow(number(0, strip, planes_[p]), top, wanted);
            if (first && *first != next) {
                return top;
            }
            first = next;
        }
        return first.value_or(wanted);
    }

    /// Passes on the region's pixels in row @p y of the block that begins at column @p left.
    void put(std::uint32_t left, std::uint32_t y, std::size_t offset, bool gap) {
        const PixelRegion& region = task_.job.region;
        if (y < region.y || y - region.y >= region.height) {
            return;
        }
        const std::uint32_t first = std::max(left, region.x);
        const auto end = std::min(std::uint64_t{left} + task_.facts.blockWidth, std::uint64_t{region.x} + region.width);
        const RowPlace place{first - region.x, y - region.y, end - first};
        rows_.clear();
        for (const auto& buffer : buffers_) {
            rows_.push_back(buffer.data() + offset);
        }
        sink_->put(place, {rows_, task_.facts.samplesPerBlock(), first - left});
        for (GapMap* gaps : task_.job.gaps) {
            if (gap) {
                gaps->add(place);
            }
        }
    }

    const Task& task_;
    std::unique_ptr<RowSink> sink_;
    std::vector<std::unique_ptr<OwnHandle>> ownHandles_;
    std::vector<std::unique_ptr<TiffBlockDecoder>> decoders_; ///< one, or one per plane for rows
    std::vector<int> planes_;                                 ///< indices of the required planes
    std::vector<std::vector<std::byte>> buffers_;             ///< one per plane
    std::vector<const std::byte*> rows_;
};

} // namespace

void decodeTiff(const SourceFile& source, const TiffPage& page, const TiffStorage& storage, const TiffDecodeJob& job,
                const JobControl& control) {
    const TiffFacts& facts = page.facts;
    const TiffBlocks blocks = TiffBlocks::of(facts, job.region);
    const std::uint64_t columns = blocks.right - blocks.left;
    const std::uint64_t items = columns * (blocks.bottom - blocks.top);
    const std::uint64_t lastRow =
        std::min<std::uint64_t>(std::uint64_t{blocks.bottom} * facts.blockHeight, facts.height);
    Progress progress(control, columns * (lastRow - std::uint64_t{blocks.top} * facts.blockHeight));
    const bool byRows =
        TiffBlockDecoder::canDecodeRows(facts) && facts.blockRowBytes() * facts.blockHeight > kWholeStripBytes;
    const Task task{source, facts, storage, job, blocks, byRows, progress, page.handles.get()};
    const auto decode = [&](Worker& worker, std::uint64_t item) {
        worker.decode(static_cast<std::uint32_t>(blocks.left + item % columns),
                      static_cast<std::uint32_t>(blocks.top + item / columns));
    };
    const bool parallel = job.parallel && items > 1 && facts.compression != COMPRESSION_OJPEG &&
                          blocks.decodedBytes(facts) >= kParallelBytes;
    if (!parallel) {
        Worker worker(task, page.handle);
        for (std::uint64_t item = 0; item < items; ++item) {
            decode(worker, item);
        }
        progress.finish();
        return;
    }
    FirstFailure failure;
    tbb::enumerable_thread_specific<std::unique_ptr<Worker>> workers;
    tbb::parallel_for(tbb::blocked_range<std::uint64_t>(0, items), [&](const auto& range) {
        for (std::uint64_t item = range.begin(); item != range.end() && !failure.isBefore(item); ++item) {
            try {
                control.throwIfStopped();
                std::unique_ptr<Worker>& worker = workers.local();
                if (!worker) {
                    worker = std::make_unique<Worker>(task);
                }
                decode(*worker, item);
            } catch (const Cancelled&) {
                throw; // ends the whole job
            } catch (...) {
                failure.keep(item, std::current_exception());
            }
        }
    });
    failure.rethrow();
    progress.finish();
}

} // namespace pollard
