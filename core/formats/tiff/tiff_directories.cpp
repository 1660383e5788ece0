#include "formats/tiff/tiff_directories.hpp"

#include "io/read_support.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <tiff.h>
#include <unordered_set>

namespace pollard {

namespace {

constexpr std::uint64_t kMaxEntries = 65535; // as in classic TIFF; libtiff has the same limit for BigTIFF
constexpr std::uint64_t kMaxChildren = 64;

/// Reads numbers of a TIFF in the file's byte order.
class Walker {
public:
    explicit Walker(const SourceFile& source) : size_(source.size), file_(openForReading(source.path)) {
        big_ = source.head.size() > 3 && (source.head[2] == std::byte{43} || source.head[3] == std::byte{43});
        bigEndian_ = !source.head.empty() && source.head[0] == std::byte{'M'};
    }

    [[nodiscard]] std::optional<std::uint64_t> firstOffset() {
        std::array<std::byte, 8> header{};
        return big_ ? number(8, 8, header) : number(4, 4, header);
    }

    /// Reads the directory at @p offset. Sets @p next to the offset of the following one (0 at the end), or leaves it
    /// unset if unreadable. Nothing if there is no directory.
    std::optional<TiffDirectory> read(std::uint64_t offset, std::optional<std::uint64_t>& next) {
        next.reset();
        const std::uint64_t countBytes = big_ ? 8 : 2;
        std::array<std::byte, 8> bytes{};
        const auto entries = number(offset, countBytes, bytes);
        if (!entries || *entries == 0 || *entries > kMaxEntries) {
            return std::nullopt;
        }
        TiffDirectory directory;
        directory.offset = offset;
        const std::uint64_t entryBytes = big_ ? 20 : 12;
        table_.resize(*entries * entryBytes);
        if (!fetch(offset + countBytes, table_)) {
            return directory; // truncated; libtiff reports how
        }
        for (std::uint64_t i = 0; i < *entries; ++i) {
            take(std::span(table_).subspan(i * entryBytes, entryBytes), directory);
        }
        next = number(offset + countBytes + table_.size(), big_ ? 8 : 4, bytes);
        return directory;
    }

private:
    [[nodiscard]] bool fetch(std::uint64_t offset, std::span<std::byte> bytes) {
        return offset <= size_ && bytes.size() <= size_ - offset &&
               fseeko(file_.get(), static_cast<off_t>(offset), SEEK_SET) == 0 &&
               std::fread(bytes.data(), 1, bytes.size(), file_.get()) == bytes.size();
    }

    [[nodiscard]] std::optional<std::uint64_t> number(std::uint64_t offset, std::uint64_t bytes,
                                                      std::array<std::byte, 8>& scratch) {
        const std::span<std::byte> target(scratch.data(), bytes);
        return fetch(offset, target) ? std::optional(value(target)) : std::nullopt;
    }

    [[nodiscard]] std::uint64_t value(std::span<const std::byte> bytes) const {
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            const std::byte digit = bytes[bigEndian_ ? i : bytes.size() - 1 - i];
            sum = sum << 8 | std::to_integer<std::uint64_t>(digit);
        }
        return sum;
    }

    [[nodiscard]] static std::size_t bytesOfType(std::uint64_t type) {
        switch (type) {
        case TIFF_BYTE:
            return 1;
        case TIFF_SHORT:
            return 2;
        case TIFF_LONG:
        case TIFF_IFD:
            return 4;
        case TIFF_LONG8:
        case TIFF_IFD8:
            return 8;
        default:
            return 0;
        }
    }

    void take(std::span<const std::byte> entry, TiffDirectory& directory) {
        const std::uint64_t tag = value(entry.subspan(0, 2));
        const std::size_t bytes = bytesOfType(value(entry.subspan(2, 2)));
        const std::uint64_t count = value(entry.subspan(4, big_ ? 8 : 4));
        const auto field = entry.subspan(big_ ? 12 : 8);
        if (tag == kMetaMorphTag1 || tag == kMetaMorphTag2 || tag == kZeissTag) {
            directory.privateTags.push_back({static_cast<std::uint32_t>(tag), count, value(field)});
            return;
        }
        if (bytes == 0 || count == 0) {
            return;
        }
        if (tag == TIFFTAG_STRIPOFFSETS || tag == TIFFTAG_TILEOFFSETS) {
            directory.blocks = count;
            return;
        }
        if (tag == TIFFTAG_SUBIFD) {
            takeChildren(field, bytes, std::min(count, kMaxChildren), count * bytes <= field.size(), directory);
            return;
        }
        if (bytes > field.size()) {
            return;
        }
        const std::uint64_t number = value(field.subspan(0, bytes));
        const auto small = static_cast<std::uint32_t>(std::min<std::uint64_t>(number, UINT32_MAX));
        if (tag == TIFFTAG_SUBFILETYPE) {
            directory.subfileType = small;
        } else if (tag == TIFFTAG_OSUBFILETYPE && small == OFILETYPE_REDUCEDIMAGE) {
            directory.subfileType |= FILETYPE_REDUCEDIMAGE;
        } else if (tag == TIFFTAG_IMAGEWIDTH) {
            directory.width = small;
        } else if (tag == TIFFTAG_IMAGELENGTH) {
            directory.height = small;
        }
    }

    void takeChildren(std::span<const std::byte> field, std::size_t bytes, std::uint64_t count, bool isInline,
                      TiffDirectory& directory) {
        std::vector<std::byte> far(isInline ? 0 : count * bytes);
        if (!isInline && !fetch(value(field), far)) {
            return;
        }
        const std::span<const std::byte> values = isInline ? field : std::span<const std::byte>(far);
        for (std::uint64_t i = 0; i < count; ++i) {
            directory.children.push_back(value(values.subspan(i * bytes, bytes)));
        }
    }

    std::uint64_t size_;
    FilePointer file_;
    bool big_ = false;
    bool bigEndian_ = false;
    std::vector<std::byte> table_;
};

bool isReduced(const TiffDirectory& directory) { return (directory.subfileType & FILETYPE_REDUCEDIMAGE) != 0; }
bool isMask(const TiffDirectory& directory) { return (directory.subfileType & FILETYPE_MASK) != 0; }

/// Whether one can be a reduced version of the other: equal aspect ratio, up to rounding of the sides.
bool isReductionOf(const TiffDirectory& small, const TiffDirectory& large) {
    const std::uint64_t a = std::uint64_t{small.width} * large.height;
    const std::uint64_t b = std::uint64_t{large.width} * small.height;
    const std::uint64_t difference = a > b ? a - b : b - a;
    return small.width > 0 && small.height > 0 && small.width <= large.width && small.height <= large.height &&
           (small.width < large.width || small.height < large.height) &&
           difference <= std::uint64_t{large.width} + large.height;
}

void sortIn(TiffDirectory directory, TiffOutline& outline) {
    if (!outline.pages.empty()) {
        TiffPageOutline& last = outline.pages.back();
        if (isMask(directory)) {
            last.masks.push_back(std::move(directory));
            return;
        }
        if (isReduced(directory) && isReductionOf(directory, last.page)) {
            last.reduced.push_back(std::move(directory));
            return;
        }
    }
    outline.pages.push_back({std::move(directory), {}, {}});
}

/// Removes the reduced images that a Zeiss LSM file has for each page.
void dropThumbnails(TiffOutline& outline) {
    if (outline.pages.empty() || outline.pages.front().page.find(kZeissTag) == nullptr) {
        return;
    }
    std::erase_if(outline.pages,
                  [&](const TiffPageOutline& page) { return &page != &outline.pages.front() && isReduced(page.page); });
    for (TiffPageOutline& page : outline.pages) {
        page.reduced.clear();
    }
}

} // namespace

const TiffPrivateTag* TiffDirectory::find(std::uint32_t tag) const noexcept {
    const auto found = std::ranges::find(privateTags, tag, &TiffPrivateTag::tag);
    return found == privateTags.end() ? nullptr : &*found;
}

TiffOutline readTiffOutline(const SourceFile& source) {
    Walker walker(source);
    TiffOutline outline;
    std::unordered_set<std::uint64_t> visited;
    std::optional<std::uint64_t> offset = walker.firstOffset();
    while (offset && *offset != 0 && visited.insert(*offset).second) {
        if (visited.size() > TiffOutline::kMaxDirectories) {
            outline.cut = true;
            break;
        }
        std::optional<std::uint64_t> next;
        auto directory = walker.read(*offset, next);
        if (!directory) {
            outline.damaged = true;
            break;
        }
        outline.damaged = !next;
        sortIn(std::move(*directory), outline);
        offset = next;
    }
    if (outline.pages.empty() && offset && *offset >= source.size) {
        throw cutOffError(source, *offset + 1);
    }
    if (outline.pages.empty()) {
        throw readError(ErrorCode::fileDamaged, source.path,
                        offset && *offset != 0 ? "no page can be found: there is no directory at byte " +
                                                     std::to_string(*offset) + " of " + std::to_string(source.size)
                                               : "no page can be found: the file names no directory");
    }
    dropThumbnails(outline);
    return outline;
}

std::vector<TiffDirectory> tiffLevels(const SourceFile& source, const TiffPageOutline& page) {
    std::vector<TiffDirectory> levels = {page.page};
    levels.insert(levels.end(), page.reduced.begin(), page.reduced.end());
    Walker walker(source);
    for (const std::uint64_t offset : page.page.children) {
        std::optional<std::uint64_t> next;
        const auto child = walker.read(offset, next);
        if (!child || isMask(*child)) {
            continue;
        }
        // Raw photographs store a small image in the page and the large one in a SubIFD.
        const bool fullSize = isReduced(page.page) && !isReduced(*child) && isReductionOf(page.page, *child);
        if (fullSize || isReductionOf(*child, page.page)) {
            levels.push_back(*child);
        }
    }
    std::stable_sort(levels.begin(), levels.end(), [](const TiffDirectory& a, const TiffDirectory& b) {
        return std::uint64_t{a.width} * a.height > std::uint64_t{b.width} * b.height;
    });
    return levels;
}

} // namespace pollard
