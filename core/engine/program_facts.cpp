#include "engine/program_facts.hpp"

#include "engine/library_versions.hpp"

#include <utility>

namespace pollard {

ProgramFacts programFacts(std::string name, std::string version, const EngineRegistry& engines) {
    std::string engineLine = "engines:";
    for (const Engine* engine : engines.engines()) {
        engineLine += ' ' + engine->name();
    }
    std::string libraryLine = "libraries:";
    for (const LibraryVersion& library : libraryVersions()) {
        libraryLine += (libraryLine.back() == ':' ? " " : ", ") + library.name + ' ' + library.version;
    }
    return {std::move(name), std::move(version), {std::move(engineLine), std::move(libraryLine)}};
}

} // namespace pollard
