#pragma once

#include "base/job_control.hpp"
#include "engine/engine.hpp"
#include "engine/engine_registry.hpp"
#include "io/image_file.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string_view>
#include <vector>

namespace pollard {
struct Planes;
struct TiffWriteOptions;
} // namespace pollard

namespace pollard::vm {

/// External functions of a document. All are called on the compute thread only, except that any thread may select the
/// CPU engine.
struct DocumentServices {
    /// Engine by name; "auto": the best usable one. @throws Error
    std::function<Engine&(std::string_view name)> selectEngine;
    std::function<LoadedImage(const std::filesystem::path&, const ReadOptions&, const JobControl&)> read;
    /// As read, of a volume, see pollard::readVolume(). Without this or readInfo, slices are opened as pages.
    std::function<LoadedImage(const std::filesystem::path&, const ReadOptions&, const JobControl&)> readVolume;
    /// See writeResult().
    std::function<void(const std::filesystem::path&, const Planes&, const JobControl&, const TiffWriteOptions&)> write;
    /// Facts of a page without its pixels. Without this, or without availableMemory, memory is not checked.
    std::function<ImageInfo(const std::filesystem::path&, const ReadOptions&)> readInfo;
    /// Whether a shrunk image is read in bands, see pollard::readsRegions(); without this none is.
    std::function<bool(const std::filesystem::path&, const ReadOptions&)> readsRegions;
    std::function<std::uint64_t()> availableMemory; ///< bytes available to a new job
    SessionOptions sessionOptions;

    /// An engine, followed by the CPU engine, which takes over if the device of the first one fails.
    [[nodiscard]] std::vector<Engine*> enginesFrom(Engine& first) const;

    /// The readers and writers of core and the engines of @p registry, which must outlive the document.
    [[nodiscard]] static DocumentServices standard(const EngineRegistry& registry);
};

} // namespace pollard::vm
