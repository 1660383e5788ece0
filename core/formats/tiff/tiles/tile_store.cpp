#include "formats/tiff/tiles/tile_store.hpp"

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/system.hpp"
#include "formats/tiff/tiff_handle.hpp"
#include "formats/tiff/tiff_tags.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <optional>
#include <string>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <type_traits>
#include <unistd.h>
#include <utility>
#include <zlib.h>

namespace pollard {

namespace {

constexpr std::uint64_t kMagic = 0x7365'6c69'546c'6f50; // "PolTiles" in little-endian order
constexpr std::uint32_t kVersion = 1;
/// Level of an entry that marks a flush() instead of a tile.
constexpr std::uint32_t kFlushMark = 0xffff'ffff;
constexpr std::uint64_t kPiece = 1024;       ///< places
constexpr std::size_t kEntriesAtOnce = 8192; ///< read from the index

std::uint32_t checksumOf(const void* data, std::size_t bytes) noexcept {
    return static_cast<std::uint32_t>(crc32_z(0, static_cast<const Bytef*>(data), bytes));
}

/// Checksum of a record whose last member is its checksum.
template <class Record> std::uint32_t checksumOf(const Record& record) noexcept {
    static_assert(std::has_unique_object_representations_v<Record>);
    return checksumOf(&record, offsetof(Record, checksum));
}

std::filesystem::path tilesPath(std::filesystem::path path) { return path += ".tiles"; }

std::string systemReason() { return std::strerror(errno); }

Error storeError(ErrorCode code, const char* what, const std::filesystem::path& path, const std::string& why) {
    return {code, std::string("cannot ") + what + " tile store: " + path.string() + ": " + why};
}

std::string nameOf(const TileKey& tile) {
    return "tile " + std::to_string(tile.number) + " of level " + std::to_string(tile.level);
}

/// Copies the pixels of a tile, and its last column and row as often as the tile has room.
void fillTile(const std::byte* pixels, std::size_t rowBytes, const PixelRegion& region, const TileLayout& layout,
              std::byte* tile) {
    const std::size_t pixelBytes = layout.pixelBytes();
    const std::size_t used = region.width * pixelBytes;
    for (std::uint32_t y = 0; y < region.height; ++y) {
        std::byte* row = tile + y * layout.rowBytes();
        std::memcpy(row, pixels + y * rowBytes, used);
        for (std::size_t at = used; at < layout.rowBytes(); at += pixelBytes) {
            std::memcpy(row + at, row + used - pixelBytes, pixelBytes);
        }
    }
    const std::byte* last = tile + (region.height - 1) * layout.rowBytes();
    for (std::size_t y = region.height; y < layout.side; ++y) {
        std::memcpy(tile + y * layout.rowBytes(), last, layout.rowBytes());
    }
}

/// Number of tiles in one TIFF in memory. More would save little, because the tables of the codec dominate.
constexpr std::uint32_t kTilesPerTiff = 256;
/// Position of the kind of the samples in the number of their bits in the header.
constexpr unsigned kKindBit = 8;

} // namespace

/// A TIFF in memory that only holds the bytes of the tiles written last.
class TileCoder::MemoryTiff {
public:
    explicit MemoryTiff(const TileLayout& layout) : handle_(TiffHandle::createIn(bytes_)) {
        TIFF* tiff = handle_.get();
        TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, layout.side);
        TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, layout.side * kTilesPerTiff);
        TIFFSetField(tiff, TIFFTAG_TILEWIDTH, layout.side);
        TIFFSetField(tiff, TIFFTAG_TILELENGTH, layout.side);
        TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, layout.bits);
        TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
        TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, sampleFormatOf(layout.type()));
        TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
        TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
        if (!setCompression(tiff, layout.compression, layout.effort, isFloat(layout.type())) ||
            TIFFWriteCheck(tiff, 1, "tile") != 1) {
            throw Error(ErrorCode::writeFailed, "cannot compress a tile: " + reason());
        }
    }

    [[nodiscard]] bool isFull() const noexcept { return next_ == kTilesPerTiff; }

    std::vector<std::byte> encode(std::span<const std::byte> pixels) {
        bytes_.clear();
        // libtiff's predictor works on a copy; only the signature lacks const.
        if (TIFFWriteEncodedTile(handle_.get(), next_++, const_cast<std::byte*>(pixels.data()),
                                 static_cast<tmsize_t>(pixels.size())) < 0) {
            throw Error(ErrorCode::writeFailed, "cannot compress a tile: " + reason());
        }
        return std::exchange(bytes_, {});
    }

    void decode(std::span<const std::byte> stored, std::span<std::byte> pixels) {
        handle_.messages().clear();
        // Reversed bits, which libtiff would restore in place, do not occur.
        if (TIFFReadFromUserBuffer(handle_.get(), 0, const_cast<std::byte*>(stored.data()),
                                   static_cast<tmsize_t>(stored.size()), pixels.data(),
                                   static_cast<tmsize_t>(pixels.size())) != 1) {
            throw Error(ErrorCode::fileDamaged, "cannot decompress a tile: " + reason());
        }
    }

private:
    [[nodiscard]] std::string reason() const {
        const std::string& text = handle_.messages().lastError;
        return text.empty() ? "unknown failure of libtiff" : text;
    }

    std::vector<std::byte> bytes_; // outlives the handle, which writes to it at its end
    TiffHandle handle_;
    std::uint32_t next_ = 0;
};

TileCoder::TileCoder(const TileLayout& layout) : layout_(layout) {}
TileCoder::~TileCoder() = default;
TileCoder::TileCoder(TileCoder&&) noexcept = default;
TileCoder& TileCoder::operator=(TileCoder&&) noexcept = default;

std::vector<std::byte> TileCoder::encode(std::span<const std::byte> pixels) {
    if (layout_.compression == TiffCompression::none) {
        return {pixels.begin(), pixels.end()};
    }
    if (!encoding_ || encoding_->isFull()) {
        encoding_ = std::make_unique<MemoryTiff>(layout_);
    }
    return encoding_->encode(pixels);
}

void TileCoder::decode(std::span<const std::byte> stored, std::span<std::byte> pixels) {
    if (layout_.compression == TiffCompression::none) {
        if (stored.size() != pixels.size()) {
            throw Error(ErrorCode::fileDamaged, "cannot read a tile: it has " + std::to_string(stored.size()) +
                                                    " bytes instead of " + std::to_string(pixels.size()));
        }
        std::memcpy(pixels.data(), stored.data(), stored.size());
        return;
    }
    if (!decoding_) {
        decoding_ = std::make_unique<MemoryTiff>(layout_);
    }
    decoding_->decode(stored, pixels);
}

struct TileStore::Header {
    std::uint64_t magic = kMagic;
    std::uint64_t job = 0;
    std::uint32_t version = kVersion;
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::uint32_t bits = 0;
    std::uint32_t side = 0;
    std::uint32_t compression = 0;
    std::uint32_t effort = 0;
    std::uint32_t checksum = 0;
};

struct TileStore::Entry {
    std::uint32_t level = 0;
    std::uint32_t bytes = 0;
    std::uint64_t number = 0;
    std::uint64_t offset = 0;
    std::uint32_t bytesChecksum = 0;
    std::uint32_t checksum = 0;

    [[nodiscard]] TileKey tile() const noexcept { return {level, number}; }
    [[nodiscard]] bool isFlushMark() const noexcept { return level == kFlushMark; }
    [[nodiscard]] std::uint64_t end() const noexcept { return offset + bytes; }
};

struct TileStore::EncodedTile {
    TileKey tile;
    std::vector<std::byte> bytes;
    std::uint32_t checksum = 0;
};

TileStore::File::~File() {
    if (descriptor >= 0) {
        ::close(descriptor);
    }
}

TileStore::TileStore(std::filesystem::path path, const TileLayout& layout, std::uint64_t job, OpenMode opening)
    : path_(std::move(path)), layout_(layout), job_(job), coding_([this] {
          return Coding{TileCoder(layout_), std::vector<std::byte>(layout_.tileBytes())};
      }) {
    if (const std::string problem = layout.problem(); !problem.empty()) {
        throw storeError(ErrorCode::invalidArgument, "open", path_, problem);
    }
    if (layout_.compression == TiffCompression::none) {
        layout_.effort = 0;
    }
    for (std::uint32_t level = 0; level < layout_.levels(); ++level) {
        places_.emplace_back().pieces.resize((layout_.tilesAt(level) - 1) / kPiece + 1);
    }
    open(index_, path_);
    lock();
    open(tiles_, tilesPath(path_));
    if (opening == OpenMode::resume && index_.end > 0) {
        resume();
    } else {
        begin();
    }
}

TileStore::~TileStore() = default;

void TileStore::remove(const std::filesystem::path& path) noexcept {
    std::error_code error;
    std::filesystem::remove(path, error);
    std::filesystem::remove(tilesPath(path), error);
}

/// Opens a file, empty if it is new. Its end is its size.
void TileStore::open(File& file, const std::filesystem::path& path) const {
    file.descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    struct stat status {};
    if (file.descriptor < 0 || ::fstat(file.descriptor, &status) != 0) {
        throw storeError(ErrorCode::writeFailed, "open", path, systemReason());
    }
    if (!S_ISREG(status.st_mode)) {
        throw storeError(ErrorCode::writeFailed, "open", path, "is not a regular file");
    }
    file.end = static_cast<std::uint64_t>(status.st_size);
}

/// Keeps other programs out. File systems without locks are accepted.
void TileStore::lock() const {
    if (::flock(index_.descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        throw storeError(ErrorCode::invalidArgument, "open", path_, "is in use");
    }
}

TileStore::Header TileStore::header() const noexcept {
    Header header;
    header.job = job_;
    header.width = layout_.width;
    header.height = layout_.height;
    header.bits = static_cast<std::uint32_t>(layout_.bits) | static_cast<std::uint32_t>(layout_.kind) << kKindBit;
    header.side = layout_.side;
    header.compression = static_cast<std::uint32_t>(layout_.compression);
    header.effort = static_cast<std::uint32_t>(layout_.effort);
    header.checksum = checksumOf(header);
    return header;
}

void TileStore::begin() {
    cut(index_, 0);
    cut(tiles_, 0);
    const Header first = header();
    write(index_, &first, sizeof first, 0);
    index_.end = sizeof first;
    sync(index_);
}

void TileStore::checkHeader() const {
    Header found;
    const std::size_t bytes = readFrom(index_, &found, sizeof found, 0);
    if (bytes < sizeof found.magic || found.magic != kMagic) {
        throw storeError(ErrorCode::formatUnknown, "open", path_, "is not a tile store");
    }
    if (bytes < sizeof found) {
        throw storeError(ErrorCode::fileDamaged, "open", path_, "the header is cut off");
    }
    if (found.version != kVersion) {
        throw storeError(ErrorCode::formatUnsupported, "open", path_,
                         "has version " + std::to_string(found.version) + " of the format instead of " +
                             std::to_string(kVersion));
    }
    if (found.checksum != checksumOf(found)) {
        throw storeError(ErrorCode::fileDamaged, "open", path_, "the header is damaged");
    }
    const Header wanted = header();
    if (found.job != wanted.job) {
        throw storeError(ErrorCode::invalidArgument, "open", path_, "holds the tiles of another job");
    }
    if (found.checksum != wanted.checksum) {
        throw storeError(ErrorCode::invalidArgument, "open", path_,
                         "holds tiles of another size, depth or compression (" + std::to_string(found.width) + " x " +
                             std::to_string(found.height) + " px, " + std::to_string(found.bits & 0xffU) +
                             " bits, tiles of " + std::to_string(found.side) + " px)");
    }
}

void TileStore::resume() {
    checkHeader();
    takeEntries();
}

bool TileStore::isPossible(const Entry& entry, std::uint64_t dataBytes) const noexcept {
    if (entry.checksum != checksumOf(entry)) {
        return false;
    }
    return entry.isFlushMark() ||
           (entry.level < places_.size() && entry.number < layout_.tilesAt(entry.level) && entry.bytes > 0 &&
            entry.offset <= dataBytes && entry.bytes <= dataBytes - entry.offset);
}

bool TileStore::hasBytesOf(const Entry& entry) const {
    std::vector<std::byte> bytes(entry.bytes);
    return readFrom(tiles_, bytes.data(), bytes.size(), entry.offset) == bytes.size() &&
           checksumOf(bytes.data(), bytes.size()) == entry.bytesChecksum;
}

/// Takes the tiles of the entries in the index up to the first invalid one, and cuts off the rest.
void TileStore::takeEntries() {
    const std::uint64_t dataBytes = std::exchange(tiles_.end, 0);
    std::vector<Entry> some(kEntriesAtOnce);
    std::vector<Entry> unflushed;
    std::uint64_t at = sizeof(Header);
    std::uint64_t taken = at; // end of the last entry that was flushed
    for (bool more = true; more;) {
        const std::size_t count = readFrom(index_, some.data(), some.size() * sizeof(Entry), at) / sizeof(Entry);
        const auto first = some.begin();
        const auto last = std::find_if(first, first + static_cast<std::ptrdiff_t>(count),
                                       [&](const Entry& entry) { return !isPossible(entry, dataBytes); });
        for (auto entry = first; entry != last; ++entry) {
            at += sizeof(Entry);
            if (!entry->isFlushMark()) {
                unflushed.push_back(*entry);
                continue;
            }
            std::for_each(unflushed.begin(), unflushed.end(), [&](const Entry& flushed) { take(flushed); });
            unflushed.clear();
            taken = at;
        }
        more = last == some.end();
    }
    for (const Entry& entry : unflushed) {
        if (!hasBytesOf(entry)) {
            break;
        }
        take(entry);
        taken += sizeof(Entry);
        isFlushed_ = false;
    }
    cut(index_, taken);
    cut(tiles_, tiles_.end);
}

/// The tile of a valid entry is in the store.
void TileStore::take(const Entry& entry) {
    requirePiece(entry.tile());
    setPlace(entry.tile(), {entry.offset, entry.bytes, entry.bytesChecksum});
    tiles_.end = std::max(tiles_.end, entry.end());
}

void TileStore::cut(File& file, std::uint64_t size) const {
    if (::ftruncate(file.descriptor, static_cast<off_t>(size)) != 0) {
        throw storeError(ErrorCode::writeFailed, "write", path_, systemReason());
    }
    file.end = size;
}

/// The columns and rows of the tiles of a region.
PixelRegion TileStore::tilesOf(const PixelRegion& region, std::uint32_t level) const {
    const auto isAligned = [&](std::uint32_t first, std::uint32_t length, std::uint32_t all) {
        return first % layout_.side == 0 && length > 0 && first < all && length <= all - first &&
               ((first + length) % layout_.side == 0 || first + length == all);
    };
    if (level >= places_.size() || !isAligned(region.x, region.width, layout_.widthAt(level)) ||
        !isAligned(region.y, region.height, layout_.heightAt(level))) {
        throw storeError(ErrorCode::invalidArgument, "write", path_,
                         std::to_string(region.width) + " x " + std::to_string(region.height) + " px at (" +
                             std::to_string(region.x) + ", " + std::to_string(region.y) +
                             ") are no whole tiles of level " + std::to_string(level));
    }
    return {region.x / layout_.side, region.y / layout_.side, (region.width - 1) / layout_.side + 1,
            (region.height - 1) / layout_.side + 1};
}

void TileStore::put(const PixelRegion& region, const void* pixels, std::size_t rowBytes, const JobControl& control,
                    std::uint32_t level) {
    const PixelRegion tiles = tilesOf(region, level);
    const std::uint64_t count = std::uint64_t{tiles.width} * tiles.height;
    const std::uint64_t columns = layout_.columnsAt(level);
    const auto* first = static_cast<const std::byte*>(pixels);
    makeInOrder<EncodedTile>(
        count, control,
        [&](std::uint64_t i) {
            const std::uint64_t column = i % tiles.width;
            const std::uint64_t row = i / tiles.width;
            const std::byte* start =
                first + row * layout_.side * rowBytes + column * layout_.side * layout_.pixelBytes();
            return encode({level, (tiles.y + row) * columns + tiles.x + column}, start, rowBytes);
        },
        [&](const EncodedTile& tile) { append(tile); });
}

void TileStore::putTile(const TileKey& tile, const void* pixels, std::size_t rowBytes) {
    if (tile.level >= places_.size() || tile.number >= layout_.tilesAt(tile.level)) {
        throw storeError(ErrorCode::invalidArgument, "write", path_, "no " + nameOf(tile));
    }
    append(encode(tile, static_cast<const std::byte*>(pixels), rowBytes));
}

TileStore::EncodedTile TileStore::encode(const TileKey& tile, const std::byte* pixels, std::size_t rowBytes) {
    Coding& coding = coding_.local();
    fillTile(pixels, rowBytes, layout_.regionOf(tile), layout_, coding.pixels.data());
    std::vector<std::byte> bytes = coding.coder.encode(coding.pixels);
    const std::uint32_t checksum = checksumOf(bytes.data(), bytes.size());
    return {tile, std::move(bytes), checksum};
}

/// Writes the bytes of a tile and then its entry. On failure, the next tile overwrites these bytes.
void TileStore::append(const EncodedTile& encoded) {
    const std::lock_guard lock(mutex_);
    const auto bytes = static_cast<std::uint32_t>(encoded.bytes.size());
    requirePiece(encoded.tile);
    write(tiles_, encoded.bytes.data(), bytes, tiles_.end);
    append({encoded.tile.level, bytes, encoded.tile.number, tiles_.end, encoded.checksum, 0});
    setPlace(encoded.tile, {tiles_.end, bytes, encoded.checksum});
    tiles_.end += bytes;
    isFlushed_ = false;
}

void TileStore::append(Entry entry) {
    entry.checksum = checksumOf(entry);
    write(index_, &entry, sizeof entry, index_.end);
    index_.end += sizeof entry;
}

void TileStore::flush() {
    const std::lock_guard lock(mutex_);
    if (isFlushed_) {
        return;
    }
    sync(tiles_);
    append({kFlushMark, 0, 0, 0, 0, 0});
    sync(index_);
    isFlushed_ = true;
}

void TileStore::write(const File& file, const void* data, std::size_t bytes, std::uint64_t offset) const {
    if (writeAt(file.descriptor, data, bytes, offset) != bytes) {
        throw storeError(ErrorCode::writeFailed, "write", path_, systemReason());
    }
}

/// @return the number of bytes read, less than @p bytes at the end of the file
std::size_t TileStore::readFrom(const File& file, void* data, std::size_t bytes, std::uint64_t offset) const {
    const std::optional<std::size_t> done = readAt(file.descriptor, data, bytes, offset);
    if (!done) {
        throw storeError(ErrorCode::fileUnreadable, "read", path_, systemReason());
    }
    return *done;
}

void TileStore::sync(const File& file) const {
    if (::fdatasync(file.descriptor) != 0 && errno != EINVAL && errno != EROFS) {
        throw storeError(ErrorCode::writeFailed, "write", path_, systemReason());
    }
}

TileStore::Place TileStore::placeOf(const TileKey& tile) const {
    if (tile.level >= places_.size() || tile.number >= layout_.tilesAt(tile.level)) {
        return {};
    }
    const std::lock_guard lock(mutex_);
    const auto& piece = places_[tile.level].pieces[tile.number / kPiece];
    return piece ? piece[tile.number % kPiece] : Place{};
}

/// Allocates the memory for the place of a tile.
void TileStore::requirePiece(const TileKey& tile) {
    if (auto& piece = places_[tile.level].pieces[tile.number / kPiece]; !piece) {
        piece = std::make_unique<Place[]>(kPiece);
    }
}

/// @pre requirePiece()
void TileStore::setPlace(const TileKey& tile, const Place& place) noexcept {
    LevelPlaces& level = places_[tile.level];
    Place& old = level.pieces[tile.number / kPiece][tile.number % kPiece];
    level.count += old.bytes == 0 ? 1 : 0;
    old = place;
}

bool TileStore::has(const TileKey& tile) const { return placeOf(tile).bytes != 0; }

std::uint64_t TileStore::count(std::uint32_t level) const {
    const std::lock_guard lock(mutex_);
    return level < places_.size() ? places_[level].count : 0;
}

std::uint32_t TileStore::storedBytes(const TileKey& tile) const { return placeOf(tile).bytes; }

std::vector<std::byte> TileStore::readStored(const TileKey& tile) const {
    const Place place = placeOf(tile);
    if (place.bytes == 0) {
        throw storeError(ErrorCode::invalidArgument, "read", path_, nameOf(tile) + " is missing");
    }
    std::vector<std::byte> bytes(place.bytes);
    if (readFrom(tiles_, bytes.data(), bytes.size(), place.offset) != bytes.size() ||
        checksumOf(bytes.data(), bytes.size()) != place.checksum) {
        throw storeError(ErrorCode::fileDamaged, "read", path_, nameOf(tile) + " is damaged");
    }
    return bytes;
}

void TileStore::read(const TileKey& tile, std::span<std::byte> pixels) const {
    const std::vector<std::byte> stored = readStored(tile);
    try {
        coding_.local().coder.decode(stored, pixels);
    } catch (const Error& error) {
        throw storeError(error.code(), "read", path_, nameOf(tile) + ": " + error.what());
    }
}

PixelRows pixelRowsOf(const TileStore& store) {
    const TileLayout& layout = store.layout();
    struct TileRow {
        std::uint64_t number = UINT64_MAX;
        std::vector<std::byte> pixels;
    };
    const auto held = std::make_shared<TileRow>(); // of the last row of tiles
    PixelRows rows{{layout.width, layout.height, 1}, layout.type(), {}};
    rows.read = [&store, held, rowBytes = rows.rowBytes()](std::uint64_t first, std::uint32_t count, std::byte* out) {
        const TileLayout& tiles = store.layout();
        std::vector<std::byte> tile;
        for (std::uint64_t y = first; y < first + count; ++y) {
            if (held->number != y / tiles.side) {
                held->pixels.resize(rowBytes * tiles.side);
                tile.resize(tiles.tileBytes());
                for (std::uint32_t column = 0; column < tiles.columnsAt(0); ++column) {
                    store.read({0, y / tiles.side * tiles.columnsAt(0) + column}, tile);
                    const std::size_t left = column * tiles.rowBytes();
                    const std::size_t bytes = std::min(tiles.rowBytes(), rowBytes - left);
                    for (std::size_t v = 0; v < tiles.side; ++v) {
                        std::memcpy(held->pixels.data() + v * rowBytes + left, tile.data() + v * tiles.rowBytes(),
                                    bytes);
                    }
                }
                held->number = y / tiles.side;
            }
            std::memcpy(out + (y - first) * rowBytes, held->pixels.data() + y % tiles.side * rowBytes, rowBytes);
        }
    };
    return rows;
}

} // namespace pollard
