#include "io/volumes/sample_stream.hpp"

#include "base/buffer.hpp"
#include "io/read_support.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <optional>
#include <string_view>
#include <zlib.h>

namespace pollard {

namespace {

constexpr std::size_t kChunk = std::size_t{1} << 16;

[[noreturn]] void fail(const SourceFile& source, const std::string& why) {
    throw readError(ErrorCode::fileDamaged, source.path, why);
}

[[noreturn]] void failAtEnd(const SourceFile& source) { fail(source, "the file ends in the pixels; copy it again"); }

FilePointer openAt(const SourceFile& source, std::uint64_t position) {
    FilePointer file = openForReading(source.path);
    if (::fseeko(file.get(), static_cast<off_t>(position), SEEK_SET) != 0) {
        failAtEnd(source);
    }
    return file;
}

class StoredStream final : public SampleStream {
public:
    explicit StoredStream(const VolumeLayout& layout)
        : source_(layout.data), first_(layout.begin + layout.skip), file_(openAt(source_, first_)) {}

    void read(std::uint64_t position, std::byte* out, std::size_t bytes) override {
        if (position != position_ && ::fseeko(file_.get(), static_cast<off_t>(first_ + position), SEEK_SET) != 0) {
            failAtEnd(source_);
        }
        if (std::fread(out, 1, bytes, file_.get()) != bytes) {
            failAtEnd(source_);
        }
        position_ = position + bytes;
    }

private:
    const SourceFile& source_;
    std::uint64_t first_;
    FilePointer file_;
    std::uint64_t position_ = 0;
};

/// A zlib stream or gzip members one after the other.
class Inflater {
public:
    Inflater(const SourceFile& source, std::uint64_t begin)
        : source_(source), file_(openAt(source, begin)), in_(kChunk) {
        constexpr int kAnyHeader = 15 + 32;
        if (inflateInit2(&stream_, kAnyHeader) != Z_OK) {
            throw std::bad_alloc();
        }
    }
    ~Inflater() { inflateEnd(&stream_); }
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;

    /// Decodes up to @p bytes bytes; fewer only at the end. @throws Error(fileDamaged)
    std::size_t read(std::byte* out, std::size_t bytes) {
        std::size_t done = 0;
        while (done < bytes && !ended_) {
            const auto step = static_cast<uInt>(std::min(bytes - done, kChunk));
            if (stream_.avail_in == 0 && !refill()) {
                break;
            }
            stream_.next_out = reinterpret_cast<Bytef*>(out + done);
            stream_.avail_out = step;
            const int result = inflate(&stream_, Z_NO_FLUSH);
            done += step - stream_.avail_out;
            if (result == Z_STREAM_END) {
                startNextMember();
            } else if (result == Z_MEM_ERROR) {
                throw std::bad_alloc();
            } else if (result != Z_OK && result != Z_BUF_ERROR) {
                fail(source_, "the compressed pixels are damaged; copy the file again");
            }
        }
        return done;
    }

private:
    bool refill() {
        stream_.next_in = reinterpret_cast<Bytef*>(in_.data());
        stream_.avail_in = static_cast<uInt>(std::fread(in_.data(), 1, in_.size(), file_.get()));
        return stream_.avail_in > 0;
    }

    /// Bytes other than a further member are padding.
    void startNextMember() {
        constexpr Bytef kGzip = 0x1f;
        ended_ = (stream_.avail_in == 0 && !refill()) || *stream_.next_in != kGzip || inflateReset(&stream_) != Z_OK;
    }

    const SourceFile& source_;
    FilePointer file_;
    std::vector<std::byte> in_;
    z_stream stream_{};
    bool ended_ = false;
};

/// Streams that decode the data that they skip.
class ForwardStream : public SampleStream {
public:
    ForwardStream(const VolumeLayout& layout, const JobControl& control)
        : source_(layout.data), skip_(layout.skip), control_(control), scratch_(kChunk) {}

    void read(std::uint64_t position, std::byte* out, std::size_t bytes) final {
        while (position_ < position + skip_) {
            control_.throwIfStopped();
            const std::uint64_t step = std::min<std::uint64_t>(position + skip_ - position_, scratch_.size());
            decodeAll(scratch_.data(), step);
        }
        decodeAll(out, bytes);
    }

protected:
    /// Decodes whole samples, except for bytes before the first sample. @returns bytes decoded, fewer at the end
    virtual std::size_t decode(std::byte* out, std::size_t bytes) = 0;
    [[nodiscard]] const SourceFile& source() const noexcept { return source_; }

private:
    void decodeAll(std::byte* out, std::size_t bytes) {
        if (decode(out, bytes) != bytes) {
            failAtEnd(source_);
        }
        position_ += bytes;
    }

    const SourceFile& source_;
    std::uint64_t skip_;
    const JobControl& control_;
    std::vector<std::byte> scratch_;
    std::uint64_t position_ = 0;
};

class DeflateStream final : public ForwardStream {
public:
    DeflateStream(const VolumeLayout& layout, const JobControl& control)
        : ForwardStream(layout, control), inflater_(layout.data, layout.begin) {}

private:
    std::size_t decode(std::byte* out, std::size_t bytes) override { return inflater_.read(out, bytes); }

    Inflater inflater_;
};

bool isSeparator(int c) { return c == ' ' || c == ',' || (c >= '\t' && c <= '\r'); }

class HexStream final : public ForwardStream {
public:
    HexStream(const VolumeLayout& layout, const JobControl& control)
        : ForwardStream(layout, control), file_(openAt(layout.data, layout.begin)) {}

private:
    std::size_t decode(std::byte* out, std::size_t bytes) override {
        for (std::size_t i = 0; i < bytes; ++i) {
            const int high = digit();
            const int low = high < 0 ? -1 : digit();
            if (low < 0) {
                return i;
            }
            out[i] = static_cast<std::byte>(high << 4 | low);
        }
        return bytes;
    }

    /// Value of the next digit, -1 at the end.
    int digit() {
        int c = std::getc(file_.get());
        while (isSeparator(c)) {
            c = std::getc(file_.get());
        }
        const int letter = c | 0x20;
        if (c >= '0' && c <= '9') {
            return c - '0';
        }
        if (c != EOF && (letter < 'a' || letter > 'f')) {
            fail(source(), "the pixels hold something else than hexadecimal digits");
        }
        return c == EOF ? -1 : letter - 'a' + 10;
    }

    FilePointer file_;
};

class TextStream final : public ForwardStream {
public:
    TextStream(const VolumeLayout& layout, const JobControl& control)
        : ForwardStream(layout, control), file_(openAt(layout.data, layout.begin)), plan_(layout.planOf(0)),
          sampleBytes_(layout.sampleBytes()) {}

private:
    std::size_t decode(std::byte* out, std::size_t bytes) override {
        for (std::size_t i = 0; i + sampleBytes_ <= bytes; i += sampleBytes_) {
            if (!nextWord()) {
                return i;
            }
            if (plan_.kind == SampleKind::unsignedInteger && plan_.bits < 32) {
                plan_.bits == 8 ? put<std::uint8_t>(out + i) : put<std::uint16_t>(out + i);
            } else {
                dispatch(plan_.type(), [&]<class T>(T) { put<T>(out + i); });
            }
        }
        return bytes;
    }

    bool nextWord() {
        constexpr std::size_t kLongest = 400; // of a double without exponent
        word_.clear();
        int c = std::getc(file_.get());
        while (isSeparator(c)) {
            c = std::getc(file_.get());
        }
        for (; c != EOF && !isSeparator(c) && word_.size() <= kLongest; c = std::getc(file_.get())) {
            word_ += static_cast<char>(c);
        }
        return !word_.empty();
    }

    template <class T> void put(std::byte* out) const {
        T value{};
        const char* begin = word_.data() + (word_.size() > 1 && word_[0] == '+' ? 1 : 0);
        const char* end = word_.data() + word_.size();
        const auto [stop, error] = std::from_chars(begin, end, value);
        if (error != std::errc{} || stop != end) {
            fail(source(), "\"" + word_.substr(0, 30) + "\" among the pixels is no number of their type");
        }
        std::memcpy(out, &value, sizeof(T));
    }

    FilePointer file_;
    ValuePlan plan_;
    std::size_t sampleBytes_;
    std::string word_;
};

/// Keeps the page that was read last.
class PageStream final : public SampleStream {
public:
    PageStream(const VolumeLayout& layout, const JobControl& control)
        : layout_(layout), control_(control),
          page_(static_cast<std::size_t>(layout.width * layout.height * layout.voxelBytes())) {}

    void read(std::uint64_t position, std::byte* out, std::size_t bytes) override {
        while (bytes > 0) {
            const std::uint64_t number = position / page_.size();
            if (number_ != number) {
                number_.reset();
                layout_.decoder->decode(number, {page_.data(), page_.size()}, control_);
                number_ = number;
            }
            const auto begin = static_cast<std::size_t>(position % page_.size());
            const std::size_t step = std::min(bytes, page_.size() - begin);
            std::memcpy(out, page_.data() + begin, step);
            position += step;
            out += step;
            bytes -= step;
        }
    }

private:
    const VolumeLayout& layout_;
    const JobControl& control_;
    Buffer<std::byte> page_;
    std::optional<std::uint64_t> number_; ///< of the page
};

} // namespace

std::unique_ptr<SampleStream> openSamples(const VolumeLayout& layout, const JobControl& control) {
    switch (layout.coding) {
    case VolumeLayout::Coding::deflate:
        return std::make_unique<DeflateStream>(layout, control);
    case VolumeLayout::Coding::text:
        return std::make_unique<TextStream>(layout, control);
    case VolumeLayout::Coding::hex:
        return std::make_unique<HexStream>(layout, control);
    case VolumeLayout::Coding::pages:
        return std::make_unique<PageStream>(layout, control);
    case VolumeLayout::Coding::none:
        break;
    }
    return std::make_unique<StoredStream>(layout);
}

bool isGzip(const SourceFile& source) noexcept {
    return source.head.size() > 2 && source.head[0] == std::byte{0x1f} && source.head[1] == std::byte{0x8b};
}

std::string leadingBytes(const SourceFile& source, std::size_t count) {
    std::string bytes(count, '\0');
    auto* out = reinterpret_cast<std::byte*>(bytes.data());
    try {
        bytes.resize(isGzip(source) ? Inflater(source, 0).read(out, count)
                                    : std::fread(out, 1, count, openForReading(source.path).get()));
    } catch (const Error&) { // the caller finds too few bytes
        bytes.clear();
    }
    return bytes;
}

} // namespace pollard
