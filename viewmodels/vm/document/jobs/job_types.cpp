#include "vm/document/jobs/job_types.hpp"

#include "io/read_support.hpp"
#include "io/reduce.hpp"
#include "io/volumes/read_volume.hpp"
#include "recipe/results/result_file.hpp"

namespace pollard::vm {

std::vector<Engine*> DocumentServices::enginesFrom(Engine& first) const {
    std::vector<Engine*> engines{&first};
    if (first.name() != kFallbackEngine) {
        engines.push_back(&selectEngine(kFallbackEngine));
    }
    return engines;
}

DocumentServices DocumentServices::standard(const EngineRegistry& registry) {
    DocumentServices services;
    services.selectEngine = [&registry](std::string_view name) -> Engine& { return registry.select(name); };
    services.read = [](const std::filesystem::path& path, const ReadOptions& options, const JobControl& control) {
        return readImage(path, options, control);
    };
    services.readVolume = [](const std::filesystem::path& path, const ReadOptions& options, const JobControl& control) {
        return pollard::readVolume(path, options, control);
    };
    services.write = writeResult;
    services.readInfo = [](const std::filesystem::path& path, const ReadOptions& options) {
        return readImageInfo(path, options);
    };
    services.readsRegions = [](const std::filesystem::path& path, const ReadOptions& options) {
        return pollard::readsRegions(path, options);
    };
    services.availableMemory = [] { return pollard::availableMemory(); };
    return services;
}

} // namespace pollard::vm
