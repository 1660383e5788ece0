#include "formats/tiff/tiff_handle.hpp"

#include "base/system.hpp"
#include "io/read_support.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

namespace pollard {

namespace {

/// Whether a warning means a damaged stream, which some decoders repair without an error.
bool warnsOfDamage(std::string_view module, std::string_view text) {
    if (module == "JPEGLib") {
        return text.find("extraneous bytes") == std::string_view::npos;
    }
    return text.find("Premature EOF") != std::string_view::npos || text.find("lack of data") != std::string_view::npos;
}

int store(void* userData, const char* module, const char* format, va_list arguments, bool isError) noexcept {
    try {
        char buffer[4096 + 512]; // a path and a sentence
        std::vsnprintf(buffer, sizeof buffer, format, arguments);
        auto& messages = *static_cast<TiffMessages*>(userData);
        std::string_view text = buffer;
        if (text.starts_with(messages.prefix)) {
            text.remove_prefix(messages.prefix.size());
        }
        if (isError) {
            messages.lastError = text;
        }
        if (messages.firstDamage.empty() && (isError || warnsOfDamage(module != nullptr ? module : "", text))) {
            messages.firstDamage = text;
        }
    } catch (...) {
        // Only memory can be exhausted, which the reader of the message notices, too.
    }
    return 1; // handled: the global handlers stay silent
}

int storeError(TIFF*, void* userData, const char* module, const char* format, va_list arguments) {
    return store(userData, module, format, arguments, true);
}

int storeWarning(TIFF*, void* userData, const char* module, const char* format, va_list arguments) {
    return store(userData, module, format, arguments, false);
}

struct FreeOptions {
    void operator()(TIFFOpenOptions* options) const noexcept { TIFFOpenOptionsFree(options); }
};
using OptionsPointer = std::unique_ptr<TIFFOpenOptions, FreeOptions>;

OptionsPointer makeOptions(TiffMessages& messages) {
    OptionsPointer options(TIFFOpenOptionsAlloc());
    if (!options) {
        throw std::bad_alloc();
    }
    TIFFOpenOptionsSetErrorHandlerExtR(options.get(), storeError, &messages);
    TIFFOpenOptionsSetWarningHandlerExtR(options.get(), storeWarning, &messages);
    return options;
}

} // namespace

/// The file, read through the functions below. libtiff 4.5's own function returns -1 for a failed read, which libtiff
/// then adds to a pointer and writes before the buffer; these return 0 bytes.
struct TiffHandle::ReadFile {
    explicit ReadFile(const std::filesystem::path& path) : descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
        if (descriptor < 0) {
            throw readError(ErrorCode::fileUnreadable, path, std::strerror(errno));
        }
    }
    ~ReadFile() { ::close(descriptor); }
    ReadFile(const ReadFile&) = delete;
    ReadFile& operator=(const ReadFile&) = delete;

    int descriptor;
    toff_t shift = 0; ///< added to the positions that libtiff reads

    static int of(thandle_t handle) noexcept { return static_cast<ReadFile*>(handle)->descriptor; }

    static tmsize_t read(thandle_t handle, void* target, tmsize_t bytes) noexcept {
        tmsize_t done = 0;
        while (done < bytes) {
            const auto wanted = static_cast<std::size_t>(bytes - done);
            const ssize_t got = ::read(of(handle), static_cast<std::byte*>(target) + done, wanted);
            if (got > 0) {
                done += got;
            } else if (got == 0 || errno != EINTR) {
                break;
            }
        }
        return done;
    }

    static tmsize_t refuseToWrite(thandle_t /*handle*/, void* /*source*/, tmsize_t /*bytes*/) noexcept { return 0; }

    static toff_t seek(thandle_t handle, toff_t offset, int whence) noexcept {
        const toff_t shift = static_cast<ReadFile*>(handle)->shift;
        const toff_t wanted = whence == SEEK_SET ? offset + shift : offset;
        return static_cast<toff_t>(::lseek(of(handle), static_cast<off_t>(wanted), whence)) - shift;
    }

    static int close(thandle_t /*handle*/) noexcept { return 0; } // closed by the owner

    static toff_t size(thandle_t handle) noexcept {
        struct stat status {};
        return ::fstat(of(handle), &status) == 0 ? static_cast<toff_t>(status.st_size) : 0;
    }

    static int refuseToMap(thandle_t /*handle*/, void** /*base*/, toff_t* /*size*/) noexcept { return 0; }
    static void unmap(thandle_t /*handle*/, void* /*base*/, toff_t /*size*/) noexcept {}
};

/// A file being written through the functions below. Its end is behind the last byte that was written or skipped.
struct TiffHandle::WrittenFile {
    explicit WrittenFile(int file) noexcept : descriptor(file) {}
    ~WrittenFile() { ::close(descriptor); }
    WrittenFile(const WrittenFile&) = delete;
    WrittenFile& operator=(const WrittenFile&) = delete;

    int descriptor;
    toff_t position = 0;
    toff_t end = 0;
    bool leavesRoom = false;

    static WrittenFile& of(thandle_t handle) noexcept { return *static_cast<WrittenFile*>(handle); }

    static tmsize_t read(thandle_t handle, void* target, tmsize_t bytes) noexcept {
        WrittenFile& from = of(handle);
        const std::size_t done =
            readAt(from.descriptor, target, static_cast<std::size_t>(bytes), from.position).value_or(0);
        from.position += done;
        return static_cast<tmsize_t>(done);
    }

    static tmsize_t write(thandle_t handle, void* source, tmsize_t bytes) noexcept {
        WrittenFile& to = of(handle);
        const auto all = static_cast<std::size_t>(bytes);
        const std::size_t done = to.leavesRoom ? all : writeAt(to.descriptor, source, all, to.position);
        to.position += done;
        to.end = std::max(to.end, to.position);
        return static_cast<tmsize_t>(done);
    }

    static toff_t seek(thandle_t handle, toff_t offset, int whence) noexcept {
        WrittenFile& file = of(handle);
        file.position = offset + (whence == SEEK_CUR ? file.position : whence == SEEK_END ? file.end : 0);
        return file.position;
    }

    static toff_t sizeOf(thandle_t handle) noexcept { return of(handle).end; }
};

/// The end of a sequence of bytes, written through the functions below.
struct TiffHandle::AppendBuffer {
    std::vector<std::byte>& bytes;
    toff_t position = 0;
    toff_t size = 0; ///< of the file

    static AppendBuffer& of(thandle_t handle) noexcept { return *static_cast<AppendBuffer*>(handle); }

    static tmsize_t refuseToRead(thandle_t /*handle*/, void* /*target*/, tmsize_t /*bytes*/) noexcept { return 0; }

    static tmsize_t write(thandle_t handle, void* source, tmsize_t bytes) noexcept {
        AppendBuffer& to = of(handle);
        try {
            const auto* first = static_cast<const std::byte*>(source);
            to.bytes.insert(to.bytes.end(), first, first + bytes);
        } catch (const std::exception&) {
            return 0; // no memory
        }
        to.position += static_cast<toff_t>(bytes);
        to.size = std::max(to.size, to.position);
        return bytes;
    }

    static toff_t seek(thandle_t handle, toff_t offset, int whence) noexcept {
        AppendBuffer& to = of(handle);
        to.position = offset + (whence == SEEK_CUR ? to.position : whence == SEEK_END ? to.size : 0);
        return to.position;
    }

    static toff_t sizeOf(thandle_t handle) noexcept { return of(handle).size; }
};

void TiffHandle::Delete::operator()(ReadFile* file) const noexcept { delete file; }
void TiffHandle::Delete::operator()(WrittenFile* file) const noexcept { delete file; }
void TiffHandle::Delete::operator()(AppendBuffer* buffer) const noexcept { delete buffer; }

TiffHandle TiffHandle::openForReading(const std::filesystem::path& path, std::uint64_t memoryLimit) {
    TiffHandle handle;
    handle.messages().prefix = path.string() + ": ";
    const OptionsPointer options = makeOptions(handle.messages());
    TIFFOpenOptionsSetMaxSingleMemAlloc(options.get(), static_cast<tmsize_t>(memoryLimit));
    // r: read, m: do not map, h: header only
    handle.readFile_.reset(new ReadFile(path));
    handle.tiff_.reset(TIFFClientOpenExt(path.c_str(), "rmh", handle.readFile_.get(), ReadFile::read,
                                         ReadFile::refuseToWrite, ReadFile::seek, ReadFile::close, ReadFile::size,
                                         ReadFile::refuseToMap, ReadFile::unmap, options.get()));
    if (!handle.tiff_) {
        throw readError(ErrorCode::fileDamaged, path, "not a valid TIFF header: " + handle.messages().lastError);
    }
    return handle;
}

TiffHandle TiffHandle::createIn(int descriptor, const std::filesystem::path& path, bool bigTiff) {
    TiffHandle handle;
    try {
        handle.writtenFile_.reset(new WrittenFile(descriptor));
    } catch (...) {
        ::close(descriptor);
        throw;
    }
    handle.messages().prefix = path.string() + ": ";
    const OptionsPointer options = makeOptions(handle.messages());
    errno = 0;
    handle.tiff_.reset(TIFFClientOpenExt(path.c_str(), bigTiff ? "w8" : "w", handle.writtenFile_.get(),
                                         WrittenFile::read, WrittenFile::write, WrittenFile::seek, ReadFile::close,
                                         WrittenFile::sizeOf, ReadFile::refuseToMap, ReadFile::unmap, options.get()));
    if (!handle.tiff_) {
        const std::string why = errno != 0 ? std::strerror(errno) : handle.messages().lastError;
        throw Error(ErrorCode::writeFailed, "cannot write TIFF: " + path.string() + ": " + why);
    }
    return handle;
}

TiffHandle TiffHandle::createIn(std::vector<std::byte>& bytes) {
    TiffHandle handle;
    const OptionsPointer options = makeOptions(handle.messages());
    handle.appendBuffer_.reset(new AppendBuffer{bytes});
    handle.tiff_.reset(TIFFClientOpenExt("memory", "w8", handle.appendBuffer_.get(), AppendBuffer::refuseToRead,
                                         AppendBuffer::write, AppendBuffer::seek, ReadFile::close, AppendBuffer::sizeOf,
                                         ReadFile::refuseToMap, ReadFile::unmap, options.get()));
    if (!handle.tiff_) {
        throw Error(ErrorCode::writeFailed, "cannot write TIFF in memory: " + handle.messages().lastError);
    }
    return handle;
}

void TiffHandle::shiftData(std::uint64_t bytes) noexcept { readFile_->shift = bytes; }

void TiffHandle::reserveOnly(bool on) noexcept { writtenFile_->leavesRoom = on; }

} // namespace pollard
