#include "io/tiff_handle.hpp"

#include "io/read_support.hpp"

#include <cstdarg>
#include <cstdio>
#include <string_view>
#include <unistd.h>

namespace pollard {

namespace {

/// Decoders that repair a damaged stream only warn about it.
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
        // Only memory can be missing here, and whoever waits for the message will notice that itself.
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

TiffHandle TiffHandle::openForReading(const std::filesystem::path& path, std::uint64_t memoryLimit) {
    TiffHandle handle;
    handle.messages().prefix = path.string() + ": ";
    const OptionsPointer options = makeOptions(handle.messages());
    TIFFOpenOptionsSetMaxSingleMemAlloc(options.get(), static_cast<tmsize_t>(memoryLimit));
    // r: read, m: do not map, h: header only
    handle.tiff_.reset(TIFFOpenExt(path.c_str(), "rmh", options.get()));
    if (!handle.tiff_) {
        throw readError(ErrorCode::fileDamaged, path, "not a valid TIFF header: " + handle.messages().lastError);
    }
    return handle;
}

TiffHandle TiffHandle::createIn(int descriptor, const std::filesystem::path& path, bool bigTiff) {
    TiffHandle handle;
    OptionsPointer options;
    try {
        handle.messages().prefix = path.string() + ": ";
        options = makeOptions(handle.messages());
    } catch (...) {
        ::close(descriptor);
        throw;
    }
    handle.tiff_.reset(TIFFFdOpenExt(descriptor, path.c_str(), bigTiff ? "w8" : "w", options.get()));
    if (!handle.tiff_) {
        ::close(descriptor);
        throw Error(ErrorCode::writeFailed, "cannot write TIFF: " + path.string() + ": " + handle.messages().lastError);
    }
    return handle;
}

} // namespace pollard
