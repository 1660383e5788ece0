#pragma once

#include "gate.hpp"

#include "engine/engine.hpp"
#include "vm/document/jobs/job_types.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace pollard::testing {

/// State and controls of a document's fake environment. Files are entries of `files`; the filter fills the image with
/// the criterion's minimum (0 if there is none), so that an image identifies its spec.
struct FakeWorld {
    Gate read, build, filter, fetch, write;

    struct File {
        PixelType type = PixelType::u8;
        std::uint32_t width = 4;
        std::uint32_t height = 3;
        std::uint16_t level = 7; ///< of every pixel
        int pages = 1;
        double areaMaximum = 1000;
    };

    // Set before the jobs that use it are posted.
    std::map<std::string, File> files{{"a.tif", {}}};
    std::optional<Error> buildFailure;
    std::optional<Error> filterFailure;
    std::optional<Error> fetchFailure; ///< for an image that stayed on the device
    std::string failingEngine;         ///< the only engine with the failures above; empty: all
    std::string deviceEngine;          ///< keeps its images as FakeDeviceFrame; empty: none does

    struct Written {
        std::string name;
        std::uint16_t level = 0;
        std::vector<CopiedTag> carried;
    };

    void visit() {
        const std::scoped_lock lock(mutex_);
        threads_.insert(std::this_thread::get_id());
    }
    [[nodiscard]] std::set<std::thread::id> threads() const {
        const std::scoped_lock lock(mutex_);
        return threads_;
    }
    void countSession(int change) {
        const std::scoped_lock lock(mutex_);
        sessions_ += change;
    }
    [[nodiscard]] int sessions() const {
        const std::scoped_lock lock(mutex_);
        return sessions_;
    }
    /// Number of device frames that exist.
    [[nodiscard]] const std::shared_ptr<std::atomic<int>>& deviceFrames() const { return deviceFrames_; }
    void addWritten(Written written) {
        const std::scoped_lock lock(mutex_);
        written_.push_back(std::move(written));
    }
    [[nodiscard]] std::vector<Written> written() const {
        const std::scoped_lock lock(mutex_);
        return written_;
    }

private:
    mutable std::mutex mutex_;
    std::set<std::thread::id> threads_;
    std::vector<Written> written_;
    int sessions_ = 0;
    std::shared_ptr<std::atomic<int>> deviceFrames_ = std::make_shared<std::atomic<int>>(0);
};

/// An image of one level that claims to be on a device.
class FakeDeviceFrame : public DeviceFrame {
public:
    FakeDeviceFrame(const Image& image, std::shared_ptr<std::atomic<int>> count)
        : type_(image.type()), width_(image.width()), height_(image.height()), level_(image.level(0)),
          count_(std::move(count)) {
        ++*count_;
    }
    ~FakeDeviceFrame() override { --*count_; }
    [[nodiscard]] PixelType type() const noexcept override { return type_; }
    [[nodiscard]] std::uint32_t width() const noexcept override { return width_; }
    [[nodiscard]] std::uint32_t height() const noexcept override { return height_; }
    [[nodiscard]] std::uint16_t level() const noexcept { return level_; }

private:
    PixelType type_;
    std::uint32_t width_;
    std::uint32_t height_;
    std::uint16_t level_;
    std::shared_ptr<std::atomic<int>> count_;
};

/// A level that distinguishes bounds.
inline std::uint16_t levelFor(double bound) { return static_cast<std::uint16_t>(std::clamp(bound, 0.0, 65535.0)); }

inline void fill(Image& image, std::uint16_t level) {
    dispatch(image.type(), [&]<class T>(T) {
        for (T& pixel : image.pixels<T>()) {
            pixel = static_cast<T>(level);
        }
    });
}

class FakeSession : public Session {
public:
    FakeSession(FakeWorld& world, std::string engine) : world_(world), engine_(std::move(engine)) {
        world_.visit();
        world_.countSession(1);
    }
    ~FakeSession() override {
        world_.visit();
        world_.countSession(-1);
    }

    void setImage(std::shared_ptr<const Image> image) override {
        world_.visit();
        image_ = std::move(image);
    }

    TreeReport build(const TreeSpec& spec, const JobControl& control) override {
        world_.visit();
        control.report(0.5, "tiles");
        world_.build.pass(control);
        failIf(world_.buildFailure);
        auto tree = std::make_shared<ComponentTree>();
        tree->kind = spec.kind;
        tree->connectivity = spec.connectivity;
        tree->pixelType = image_->type();
        tree->width = image_->width();
        tree->height = image_->height();
        tree->pixelNode = Buffer<std::uint32_t>(image_->pixelCount());
        std::fill(tree->pixelNode.begin(), tree->pixelNode.end(), 0U);
        tree->parent = Buffer<std::uint32_t>(1);
        tree->parent[0] = 0;
        tree->level = Buffer<std::uint16_t>(1);
        tree->level[0] = image_->level(0);
        tree_ = tree;
        TreeReport report;
        report.algorithm = spec.algorithm;
        report.nodes = 1;
        return report;
    }

    [[nodiscard]] std::shared_ptr<const ComponentTree> tree() const override { return tree_; }

    /// One node that covers the image; the range of the column is up to File::areaMaximum for area, 0..255 for others.
    [[nodiscard]] std::shared_ptr<const AttributeColumn> attribute(AttributeId id, const JobControl&) override {
        world_.visit();
        auto column = std::make_shared<AttributeColumn>();
        column->id = id;
        Buffer<double> values(1);
        values[0] = static_cast<double>(image_->pixelCount());
        column->values = std::move(values);
        column->minimum = id == AttributeId::area ? 1 : 0;
        column->maximum = id == AttributeId::area ? areaMaximum() : 255;
        return column;
    }

    FilterReport runFilter(const FilterSpec& spec, Image& out, const JobControl& control) override {
        world_.visit();
        world_.filter.pass(control);
        failIf(world_.filterFailure);
        fill(out, spec.criteria.empty() ? std::uint16_t{0} : levelFor(spec.criteria.front().minimum));
        frame_ =
            engine_ == world_.deviceEngine ? std::make_shared<FakeDeviceFrame>(out, world_.deviceFrames()) : nullptr;
        FilterReport report;
        report.keptNodes = 1;
        report.changedPixels = out.pixelCount();
        return report;
    }

    [[nodiscard]] std::optional<FilterReport> runFilterOnDevice(const FilterSpec& spec,
                                                                const JobControl& control) override {
        if (engine_ != world_.deviceEngine) {
            return std::nullopt;
        }
        Image unseen(image_->type(), image_->width(), image_->height());
        return runFilter(spec, unseen, control);
    }
    void fetchFrame(const DeviceFrame& frame, Image& out, const JobControl& control) override {
        world_.visit();
        world_.fetch.pass(control);
        failIf(world_.fetchFailure);
        fill(out, dynamic_cast<const FakeDeviceFrame&>(frame).level());
    }
    [[nodiscard]] std::shared_ptr<const DeviceFrame> lastFrame() const override { return frame_; }

    [[nodiscard]] std::uint64_t estimateTreeBytes(const Image&) const override { return 0; }

private:
    [[nodiscard]] double areaMaximum() const {
        for (const auto& [name, file] : world_.files) {
            if (file.width == image_->width() && file.height == image_->height()) {
                return file.areaMaximum;
            }
        }
        return 1;
    }
    void failIf(const std::optional<Error>& failure) const {
        if (failure && (world_.failingEngine.empty() || world_.failingEngine == engine_)) {
            throw *failure;
        }
    }

    FakeWorld& world_;
    std::string engine_;
    std::shared_ptr<const Image> image_;
    std::shared_ptr<const ComponentTree> tree_;
    std::shared_ptr<const FakeDeviceFrame> frame_;
};

class FakeEngine : public Engine {
public:
    FakeEngine(FakeWorld& world, std::string name) : world_(world), name_(std::move(name)) {}
    [[nodiscard]] std::string name() const override { return name_; }
    [[nodiscard]] std::string device() const override { return name_ + " device"; }
    [[nodiscard]] std::string unusableReason() const override { return {}; }
    [[nodiscard]] std::uint64_t memoryBytes() const override { return 0; }
    [[nodiscard]] std::vector<AlgorithmInfo> algorithms() const override { return {}; }
    [[nodiscard]] std::unique_ptr<Session> openSession(const SessionOptions&) override {
        return std::make_unique<FakeSession>(world_, name_);
    }

private:
    FakeWorld& world_;
    std::string name_;
};

/// The engines "cpu" (also "auto") and "cuda", and readers and writers of the world's files.
inline vm::DocumentServices fakeServices(FakeWorld& world) {
    auto cpu = std::make_shared<FakeEngine>(world, "cpu");
    auto cuda = std::make_shared<FakeEngine>(world, "cuda");
    vm::DocumentServices services;
    services.selectEngine = [cpu, cuda](std::string_view name) -> Engine& {
        if (name == "cuda") {
            return *cuda;
        }
        if (name != "auto" && name != "cpu") {
            throw Error(ErrorCode::invalidArgument, "engine '" + std::string(name) + "': unknown");
        }
        return *cpu;
    };
    services.read = [&world](const std::filesystem::path& path, const ReadOptions& options, const JobControl& control) {
        world.read.pass(control);
        const auto found = world.files.find(path.filename().string());
        if (found == world.files.end()) {
            throw Error(ErrorCode::fileNotFound, "open '" + path.filename().string() + "': no such file");
        }
        const FakeWorld::File& file = found->second;
        if (options.page < 0 || options.page >= file.pages) {
            throw Error(ErrorCode::invalidArgument, "page " + std::to_string(options.page) + ": not there");
        }
        auto image = std::make_shared<Image>(file.type, file.width, file.height);
        fill(*image, file.level);
        LoadedImage loaded{image, nullptr, {}};
        loaded.info.width = file.width;
        loaded.info.height = file.height;
        loaded.info.bits = bitsOf(file.type);
        loaded.info.samples = 1;
        loaded.info.pages = file.pages;
        loaded.info.page = options.page;
        loaded.info.carried.push_back({282, 5, 1, {}});
        return loaded;
    };
    services.write = [&world](const std::filesystem::path& path, const Planes& planes, const JobControl& control,
                              const TiffWriteOptions&) {
        world.write.pass(control);
        for (int number = 0; number < planes.count; ++number) {
            control.throwIfStopped();
            const Plane plane = planes.make(number, control);
            std::vector<std::byte> row(plane.rows.rowBytes());
            plane.rows.read(0, 1, row.data());
            std::uint16_t level = 0;
            std::memcpy(&level, row.data(), bytesOf(plane.rows.type));
            world.addWritten({path.filename().string(), level, plane.facts.carried});
        }
    };
    return services;
}

} // namespace pollard::testing
