#include "cli_fixture.hpp"
#include "cpu/cpu_engine.hpp"

#include "formats/tiff/tiff_writer.hpp"
#include "program.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <random>
#include <sstream>
#include <sys/wait.h>
#include <thread>
#include <tiffio.h>
#include <unistd.h>

namespace pollard::cli {

namespace fs = std::filesystem;

namespace {

std::string contentOf(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

} // namespace

std::vector<std::string> CliTest::filesInFolder() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_.path())) {
        names.push_back(entry.path().filename().string());
    }
    std::ranges::sort(names);
    return names;
}

Outcome CliTest::call(const Args& args) {
    EngineRegistry registry{makeCpuEngine()};
    return call(args, registry);
}

Outcome CliTest::call(const Args& args, EngineRegistry& registry) {
    std::ostringstream out;
    std::ostringstream err;
    const int code = runCli(args, out, err, registry);
    return {code, out.str(), err.str()};
}

pid_t CliTest::start(const Args& args, const std::string& standardOutput) const {
    const std::string out = standardOutput.empty() ? (streams_ / "out").string() : standardOutput;
    const std::string err = (streams_ / "err").string();
    std::string program = POLLARD_CLI_BINARY;
    Args copies = args;
    std::vector<char*> argv{program.data()};
    for (std::string& arg : copies) {
        argv.push_back(arg.data());
    }
    argv.push_back(nullptr);
    const pid_t process = fork();
    if (process == 0) {
        const int outFile = open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
        const int errFile = open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
        dup2(outFile, STDOUT_FILENO);
        dup2(errFile, STDERR_FILENO);
        execv(program.c_str(), argv.data());
        _exit(127);
    }
    return process;
}

Outcome CliTest::finish(pid_t process) const {
    int status = 0;
    waitpid(process, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), contentOf(streams_ / "out"),
            contentOf(streams_ / "err")};
}

Outcome CliTest::runBinary(const Args& args, const std::string& standardOutput) const {
    return finish(start(args, standardOutput));
}

namespace {

/// Waits until the program blocks the signal, i.e. waits for it, or has ended: slow machines take time to start.
void waitUntilItWatches(pid_t process, int signal) {
    const std::string facts = "/proc/" + std::to_string(process) + "/status";
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (std::chrono::steady_clock::now() < end) {
        std::ifstream file(facts);
        for (std::string line; std::getline(file, line);) {
            if (line.starts_with("State:\tZ")) {
                return;
            }
            if (line.starts_with("SigBlk:") && (std::stoull(line.substr(7), nullptr, 16) >> (signal - 1) & 1) != 0) {
                return;
            }
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
}

} // namespace

Outcome CliTest::interruptBinary(const Args& args, int milliseconds, int signal) const {
    const pid_t process = start(args, {});
    waitUntilItWatches(process, signal == SIGKILL ? SIGINT : signal);     // SIGKILL cannot be blocked
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds)); // when it is interrupted is the subject
    kill(process, signal);
    return finish(process);
}

int CliTest::killUntilDone(const Args& args, const std::string& result, const std::string& expected) const {
    constexpr double kFirst = 20; // ms
    constexpr double kLast = 60'000;
    constexpr double kGrowth = 1.4;
    const std::string complete = contentOf(path(expected));
    int kills = 0;
    for (double milliseconds = kFirst; milliseconds < kLast; milliseconds *= kGrowth) {
        const Outcome outcome = interruptBinary(args, static_cast<int>(milliseconds), SIGKILL);
        for (const std::string& name : filesInFolder()) {
            if (name.starts_with('.' + result + ".part-")) {
                fs::remove(path(name));
            }
        }
        const bool isThere = fs::exists(path(result));
        EXPECT_TRUE(!isThere || contentOf(path(result)) == complete) << "after " << kills << " kills";
        if (outcome.code != -SIGKILL) {
            EXPECT_EQ(outcome.code, 0) << outcome.err;
            EXPECT_TRUE(isThere);
            return kills;
        }
        ++kills;
        fs::remove(path(result)); // there if the program was killed while it removed its working folder
    }
    ADD_FAILURE() << "it does not end";
    return kills;
}

std::shared_ptr<const Image> CliTest::makeImage(const std::string& name, PixelType type, std::uint32_t width,
                                                std::uint32_t height, std::uint32_t levels,
                                                const std::vector<CopiedTag>& tags) const {
    auto image = std::make_shared<Image>(type, width, height);
    std::mt19937 random(levels + width);
    dispatch(type, [&]<class T>(T) {
        std::ranges::generate(image->pixels<T>(), [&] { return static_cast<T>(random() % levels); });
    });
    writeTiff(path(name), {*image, {.carried = tags}}, {.compression = TiffCompression::none});
    return image;
}

void CliTest::makePages(const std::string& name, int pages) const {
    constexpr std::uint32_t kWidth = 5;
    constexpr std::uint32_t kHeight = 4;
    TIFF* tiff = TIFFOpen(path(name).c_str(), "w");
    ASSERT_NE(tiff, nullptr);
    for (int page = 0; page < pages; ++page) {
        TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, kWidth);
        TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, kHeight);
        TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 8);
        TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
        TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
        TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, kHeight);
        std::array<std::uint8_t, kWidth> row{};
        row.fill(static_cast<std::uint8_t>(10 * page));
        for (std::uint32_t y = 0; y < kHeight; ++y) {
            TIFFWriteScanline(tiff, row.data(), y);
        }
        TIFFWriteDirectory(tiff);
    }
    TIFFClose(tiff);
}

} // namespace pollard::cli
