#include "formats/tiff/tiff_decode.hpp"

#include "formats/tiff/tiff_facts.hpp"
#include "io/read_support.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>
#include <vector>

namespace pollard {

namespace {

/// Decodes strips and tiles through one handle, on one thread.
class TiffBlockDecoder {
public:
    /// All arguments must outlive this object.
    TiffBlockDecoder(const SourceFile& source, const TiffHandle& handle, const TiffFacts& facts,
                     const TiffStorage& storage);
    ~TiffBlockDecoder();
    TiffBlockDecoder(const TiffBlockDecoder&) = delete;
    TiffBlockDecoder& operator=(const TiffBlockDecoder&) = delete;

    /// Decodes the first @p rows rows of a strip or all of a tile. Blocks omitted from the file become 0.
    /// @return false if the block is omitted
    /// @throws Error(fileDamaged) if data is missing
    bool decodeBlock(std::uint32_t block, std::uint32_t rows, std::vector<std::byte>& pixels);

    /// Decodes one row of the image; only for strips, per strip in ascending order from nextRow(), without gaps.
    /// @throws Error(fileDamaged)
    void decodeRow(std::uint32_t y, int plane, std::vector<std::byte>& pixels);

    /// The first row to decode before row @p wanted of a strip that begins at row @p top: @p wanted if rows can be
    /// decoded in any order, else the row after the last decoded row of the strip if it is above, else @p top.
    [[nodiscard]] std::uint32_t nextRow(std::uint32_t strip, std::uint32_t top, std::uint32_t wanted) const;

    [[nodiscard]] bool isMissing(std::uint32_t block) const;
    /// Whether rows of a strip can be decoded individually.
    [[nodiscard]] static bool canDecodeRows(const TiffFacts& facts) noexcept;

private:
    struct Rgba;

    [[noreturn]] void fail(const std::string& where) const;
    void require(bool complete, const std::string& where) const;
    [[nodiscard]] std::string nameOf(std::uint32_t block) const;
    void chooseDecoder(std::uint32_t block);
    void decodeRgba(std::uint32_t block, std::uint32_t rows, std::vector<std::byte>& pixels);
    [[nodiscard]] bool samePixels(const std::vector<std::byte>& a, const std::vector<std::byte>& b,
                                  std::size_t bytes) const;
    void verifyFax(std::uint32_t block, const std::vector<std::byte>& pixels, std::size_t bytes);

    const SourceFile& source_;
    TIFF* tiff_;
    TiffMessages& messages_;
    const TiffFacts& facts_;
    const TiffStorage& storage_;
    bool deflate_ = false;
    int fastSubcodec_ = 0;
    std::unique_ptr<Rgba> rgba_;
    std::vector<std::byte> stream_; ///< a fax block, as stored
    std::vector<std::byte> again_;  ///< a fax block, decoded again
};

bool isFax(const TiffFacts& facts) {
    return facts.compression >= COMPRESSION_CCITTRLE && facts.compression <= COMPRESSION_CCITTFAX4;
}

/// libtiff's conversion of whole blocks to 8-bit RGB.
struct TiffBlockDecoder::Rgba {
    TIFFRGBAImage image{};
    bool begun = false;
    std::vector<std::uint32_t> raster;

    Rgba() = default;
    Rgba(const Rgba&) = delete;
    Rgba& operator=(const Rgba&) = delete;
    ~Rgba() {
        if (begun) {
            TIFFRGBAImageEnd(&image);
        }
    }
};

TiffBlockDecoder::TiffBlockDecoder(const SourceFile& source, const TiffHandle& handle, const TiffFacts& facts,
                                   const TiffStorage& storage)
    : source_(source), tiff_(handle.get()), messages_(handle.messages()), facts_(facts), storage_(storage) {
    messages_.clear();
    deflate_ = TIFFGetField(tiff_, TIFFTAG_DEFLATE_SUBCODEC, &fastSubcodec_) == 1;
    if (facts.viaRgba) {
        rgba_ = std::make_unique<Rgba>();
        std::array<char, 1024> why{};
        rgba_->begun = TIFFRGBAImageBegin(&rgba_->image, tiff_, 1, why.data()) == 1;
        if (!rgba_->begun) {
            throw readError(ErrorCode::fileDamaged, source.path,
                            std::string("the colours cannot be decoded: ") + why.data());
        }
        rgba_->image.req_orientation = rgba_->image.orientation; // keeps the stored order of rows and columns
    }
}

TiffBlockDecoder::~TiffBlockDecoder() = default;

bool TiffBlockDecoder::canDecodeRows(const TiffFacts& facts) noexcept {
    return !facts.tiled && !facts.viaRgba && !isFax(facts) && facts.compression != COMPRESSION_JBIG;
}

void TiffBlockDecoder::fail(const std::string& where) const {
    throw readError(ErrorCode::fileDamaged, source_.path,
                    where + " cannot be decoded" + (messages_.firstDamage.empty() ? "" : ": " + messages_.firstDamage));
}

void TiffBlockDecoder::require(bool complete, const std::string& where) const {
    if (!complete || !messages_.firstDamage.empty()) {
        fail(where);
    }
}

std::string TiffBlockDecoder::nameOf(std::uint32_t block) const {
    return (facts_.tiled ? "tile " : "strip ") + std::to_string(block);
}

bool TiffBlockDecoder::isMissing(std::uint32_t block) const {
    return storage_.missing != 0 && TIFFGetStrileByteCount(tiff_, block) == 0;
}

/// libdeflate, which libtiff prefers, reads zeros past the end of a stream, so that a slightly truncated stream can
/// give wrong last pixels without an error. Truncation affects the last block of the file, which zlib decodes.
void TiffBlockDecoder::chooseDecoder(std::uint32_t block) {
    if (deflate_) {
        TIFFSetField(tiff_, TIFFTAG_DEFLATE_SUBCODEC,
                     block == storage_.lastInFile ? DEFLATE_SUBCODEC_ZLIB : fastSubcodec_);
    }
}

bool TiffBlockDecoder::decodeBlock(std::uint32_t block, std::uint32_t rows, std::vector<std::byte>& pixels) {
    messages_.clear(); // from an earlier failed block
    const std::size_t bytes = facts_.blockRowBytes() * (facts_.tiled ? facts_.blockHeight : rows);
    pixels.resize(bytes);
    if (isMissing(block)) {
        std::fill(pixels.begin(), pixels.end(), std::byte{0});
        return false;
    }
    if (rgba_) {
        decodeRgba(block, rows, pixels);
        return true;
    }
    chooseDecoder(block);
    if (isFax(facts_)) {
        std::fill(pixels.begin(), pixels.end(), std::byte{0});
    }
    const auto expected = static_cast<tmsize_t>(bytes);
    const tmsize_t got = facts_.tiled ? TIFFReadEncodedTile(tiff_, block, pixels.data(), expected)
                                      : TIFFReadEncodedStrip(tiff_, block, pixels.data(), expected);
    require(got == expected, nameOf(block));
    if (isFax(facts_)) {
        verifyFax(block, pixels, bytes);
    }
    return true;
}

void TiffBlockDecoder::decodeRow(std::uint32_t y, int plane, std::vector<std::byte>& pixels) {
    messages_.clear();
    messages_.nextRow = 0;
    pixels.resize(facts_.blockRowBytes());
    const int got = TIFFReadScanline(tiff_, pixels.data(), y, static_cast<std::uint16_t>(plane));
    require(got == 1, "row " + std::to_string(y));
    messages_.nextRow = y + 1;
}

std::uint32_t TiffBlockDecoder::nextRow(std::uint32_t strip, std::uint32_t top, std::uint32_t wanted) const {
    if (facts_.compression == COMPRESSION_NONE) {
        return std::max(wanted, top);
    }
    const std::uint32_t next = messages_.nextRow;
    const bool isIn = next == TIFFCurrentRow(tiff_) && TIFFCurrentStrip(tiff_) == strip;
    return isIn && next > top && next <= wanted ? next : top;
}

void TiffBlockDecoder::decodeRgba(std::uint32_t block, std::uint32_t rows, std::vector<std::byte>& pixels) {
    const std::uint32_t left = block % facts_.blocksAcross() * facts_.blockWidth;
    const std::uint32_t top = block / facts_.blocksAcross() * facts_.blockHeight;
    const std::uint32_t width = std::min(facts_.blockWidth, facts_.width - left);
    rgba_->raster.resize(std::size_t{width} * rows);
    rgba_->image.row_offset = static_cast<int>(top);
    rgba_->image.col_offset = static_cast<int>(left);
    require(TIFFRGBAImageGet(&rgba_->image, rgba_->raster.data(), width, rows) == 1, nameOf(block));
    const std::size_t rowBytes = facts_.blockRowBytes();
    for (std::uint32_t y = 0; y < rows; ++y) {
        std::byte* out = pixels.data() + y * rowBytes;
        for (std::uint32_t x = 0; x < width; ++x, out += 4) {
            const std::uint32_t colour = rgba_->raster[std::size_t{y} * width + x];
            out[0] = static_cast<std::byte>(TIFFGetR(colour));
            out[1] = static_cast<std::byte>(TIFFGetG(colour));
            out[2] = static_cast<std::byte>(TIFFGetB(colour));
            out[3] = static_cast<std::byte>(TIFFGetA(colour));
        }
    }
}

/// Compares a block in two buffers, except the padding bits of rows.
bool TiffBlockDecoder::samePixels(const std::vector<std::byte>& a, const std::vector<std::byte>& b,
                                  std::size_t bytes) const {
    const std::size_t rowBytes = facts_.blockRowBytes();
    const std::uint64_t rowBits =
        std::uint64_t{facts_.blockWidth} * static_cast<unsigned>(facts_.decodedBits * facts_.samplesPerBlock());
    const auto unused = static_cast<unsigned>(rowBytes * 8 - rowBits);
    for (std::size_t begin = 0; begin < bytes; begin += rowBytes) {
        const std::size_t last = begin + rowBytes - 1;
        const auto from = a.begin() + static_cast<std::ptrdiff_t>(begin);
        if (!std::equal(from, from + static_cast<std::ptrdiff_t>(rowBytes - 1),
                        b.begin() + static_cast<std::ptrdiff_t>(begin)) ||
            ((a[last] ^ b[last]) >> unused) != std::byte{0}) {
            return false;
        }
    }
    return true;
}

/// Checks that a fax stream is complete. Fax streams have neither length nor checksum; if a stream ends early, libtiff
/// silently pads the row or leaves rows unchanged. A complete stream gives the same pixels whatever bytes follow it or
/// are in the buffer, so the block is decoded again with other bytes.
void TiffBlockDecoder::verifyFax(std::uint32_t block, const std::vector<std::byte>& pixels, std::size_t bytes) {
    constexpr std::size_t kPadding = 64;
    const auto stored = static_cast<tmsize_t>(TIFFGetStrileByteCount(tiff_, block));
    stream_.assign(static_cast<std::size_t>(stored) + kPadding, std::byte{0xff});
    again_.assign(pixels.size(), std::byte{0xff});
    const tmsize_t got = facts_.tiled ? TIFFReadRawTile(tiff_, block, stream_.data(), stored)
                                      : TIFFReadRawStrip(tiff_, block, stream_.data(), stored);
    const bool decoded =
        got == stored && TIFFReadFromUserBuffer(tiff_, block, stream_.data(), static_cast<tmsize_t>(stream_.size()),
                                                again_.data(), static_cast<tmsize_t>(bytes)) == 1;
    require(decoded && samePixels(pixels, again_, bytes), "the fax data end early: " + nameOf(block));
}

/// Larger strips are decoded row by row, which limits memory and the delay of a stop. Smaller strips are decoded as a
/// whole, which is faster (libtiff then uses libdeflate).
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

/// The handle of one thread; the destructor returns it to the kept handles.
class ThreadHandle {
public:
    explicit ThreadHandle(const Task& task)
        : handles_(task.handles),
          handle_(handles_ != nullptr ? handles_->take(task.source, task.facts) : reopenTiff(task.source, task.facts)) {
    }
    ThreadHandle(const ThreadHandle&) = delete;
    ThreadHandle& operator=(const ThreadHandle&) = delete;
    ~ThreadHandle() {
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
        threadHandles_.push_back(std::make_unique<ThreadHandle>(task));
        open(threadHandles_.back()->get());
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
            threadHandles_.push_back(std::make_unique<ThreadHandle>(task_));
            decoders_.push_back(
                std::make_unique<TiffBlockDecoder>(task_.source, threadHandles_.back()->get(), facts, task_.storage));
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
    std::vector<std::unique_ptr<ThreadHandle>> threadHandles_;
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
