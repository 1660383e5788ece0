#pragma once

#include "command.hpp"
#include "image/image.hpp"
#include "io/image_file.hpp"
#include "support/temp_dir.hpp"

#include <gmock/gmock.h>

#include <csignal>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <sys/types.h>
#include <vector>

namespace pollard::cli {

using Args = std::vector<std::string>;

/// Result of running a command.
struct Outcome {
    int code = -1;
    std::string out;
    std::string err;

    [[nodiscard]] Json json() const { return Json::parse(out); }
};

/// A separate folder for every test, removed at the end, and two ways to run a command.
class CliTest : public ::testing::Test {
protected:
    [[nodiscard]] std::string path(const std::string& name) const { return (folder_ / name).string(); }
    [[nodiscard]] std::vector<std::string> filesInFolder() const;

    /// In this process, with the CPU engine.
    [[nodiscard]] static Outcome call(const Args& args);
    /// In this process, with these engines.
    [[nodiscard]] static Outcome call(const Args& args, EngineRegistry& registry);
    /// As a separate process. Standard output goes to @p standardOutput if given.
    [[nodiscard]] Outcome runBinary(const Args& args, const std::string& standardOutput = {}) const;
    /// Starts the binary and sends it @p signal after @p milliseconds.
    [[nodiscard]] Outcome interruptBinary(const Args& args, int milliseconds, int signal = SIGINT) const;
    /// Starts the binary and kills it, later each time, until it ends by itself. A result that is there after a kill,
    /// and the last one, have to equal the file @p expected. Temporary files of the result, which a killed program
    /// cannot remove, are removed.
    /// @return number of kills
    [[nodiscard]] int killUntilDone(const Args& args, const std::string& result, const std::string& expected) const;

    /// Writes random levels below @p levels as a TIFF; deterministic.
    std::shared_ptr<const Image> makeImage(const std::string& name, PixelType type, std::uint32_t width,
                                           std::uint32_t height, std::uint32_t levels,
                                           const std::vector<CopiedTag>& tags = {}) const;
    /// Writes 8-bit pages of 5 x 4 pixels; page i is filled with 10 * i.
    void makePages(const std::string& name, int pages) const;

private:
    [[nodiscard]] pid_t start(const Args& args, const std::string& standardOutput) const;
    [[nodiscard]] Outcome finish(pid_t process) const;

    test::TempDir folder_;
    test::TempDir streams_; ///< output of the binary, outside the folder under test
};

/// One error line in the documented form.
MATCHER_P(IsErrorAbout, text, "") {
    return arg.starts_with("pollard-cli: error: ") && arg.find(text) != std::string::npos;
}

} // namespace pollard::cli
