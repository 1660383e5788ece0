#include "vm/objects/page_objects.hpp"

#include "vm/document/document_jobs.hpp"

#include "base/error.hpp"
#include "components/objects/object_stream.hpp"
#include "engine/engine_fallback.hpp"
#include "filter/analysis_image.hpp"
#include "image/mask.hpp"

#include <QFileInfo>

#include <algorithm>
#include <deque>
#include <string>
#include <string_view>

namespace pollard::vm {

namespace {

constexpr int kMostUnderWay = 2; ///< while another page is read

/// A page as read, and its pixels that count.
struct ReadPage {
    std::shared_ptr<const Image> image;
    std::shared_ptr<const Mask> inside;
};

ReadPage readPage(const PageFilter& filter, const OpenRequest& page, const JobControl& control) {
    const LoadedImage loaded =
        filter.services.read(QFileInfo(page.path).filesystemFilePath(), page.options(filter.rules.limits), control);
    const auto& domain = filter.tree.domain;
    return {loaded.image, intersection(loaded.valid, domain && fits(*domain, *loaded.image) ? domain : nullptr)};
}

/// Objects of the pages as read: while a page is read, an engine finds those of the previous ones.
class ReadPages {
public:
    explicit ReadPages(const FollowedPages& pages) : pages_(pages), engines_(pages.engines) {
        onFirstThatWorks(engines_, [this](Engine& engine) { start(engine); });
    }

    [[nodiscard]] bool isFull() const { return stream_->underWay() == stream_->capacity(); }
    [[nodiscard]] bool isEmpty() const { return underWay_.empty(); }

    void push(const OpenRequest& page, const JobControl& control) {
        const ReadPage read = readPage(pages_.filter, page, control);
        const LevelRange levels = pages_.rule.levelsOf(*read.image, read.inside.get(), control);
        underWay_.push_back({read.image, read.inside, levels.low, levels.high});
        start(*engine_);
    }
    [[nodiscard]] Components pop(const JobControl& control) {
        Components found;
        onFirstThatWorks(engines_, [&](Engine& engine) {
            start(engine);
            try {
                found = stream_->pop(control).components;
            } catch (...) {
                stream_.reset(); // the next engine starts with this page
                throw;
            }
        });
        engines_.erase(engines_.begin(), std::ranges::find(engines_, engine_)); // those that failed
        underWay_.pop_front();
        return found;
    }

private:
    /// Pushes the pages that the engine's stream does not have.
    void start(Engine& engine) {
        if (!stream_ || engine_ != &engine) {
            stream_ = engine.streamObjects({.connectivity = pages_.rule.connectivity, .algorithm = {}}, kMostUnderWay,
                                           pages_.filter.services.sessionOptions);
            engine_ = &engine;
        }
        for (std::size_t i = stream_->underWay(); i < underWay_.size() && i < stream_->capacity(); ++i) {
            stream_->push(underWay_[i]);
        }
    }

    const FollowedPages& pages_;
    std::vector<Engine*> engines_;
    Engine* engine_ = nullptr; ///< of the stream
    std::deque<StreamFrame> underWay_;
    std::unique_ptr<ObjectStream> stream_;
};

/// Objects of the pages filtered by the document.
class FilteredPages {
public:
    explicit FilteredPages(const FollowedPages& pages) : pages_(pages), jobs_(servicesOf(pages)) {}

    [[nodiscard]] Components find(const OpenRequest& page, const JobContext& context) {
        const PageFilter& filter = pages_.filter;
        requireMemory(page);
        const OpenedPage opened = jobs_.filterPage(page, filter.rules, filter.tree, context);
        const Image& source = *opened.tree.frame.image;
        const JobControl control(context.stop);
        return objectsOf(pages_.rule, pages_.rule.levelsOf(source, opened.picture.inside.get(), control), source,
                         *opened.picture.image, opened.picture.inside.get(),
                         {opened.tree.engine.engine, pages_.engines.back()}, control);
    }

private:
    /// Those of the document with other engines, because selectEngine() of the document must not be called on this
    /// thread.
    static DocumentServices servicesOf(const FollowedPages& pages) {
        DocumentServices services = pages.filter.services;
        services.selectEngine = [&engines = pages.engines](std::string_view name) -> Engine& {
            return name == kFallbackEngine ? *engines.back() : *engines.front();
        };
        return services;
    }
    void requireMemory(const OpenRequest& page) const {
        LoadRules rules = pages_.filter.rules;
        rules.askFirst = true;
        TreeRequest tree = pages_.filter.tree;
        tree.engine = pages_.engines.front()->name();
        const auto plan = jobs_.questionAbout(page, rules, tree);
        if (plan && plan->there.host != 0 && plan->need.host > plan->there.host) {
            throw Error(ErrorCode::outOfMemory, "memory: filtering it needs up to " +
                                                    std::to_string(plan->need.host >> 20U) + " MiB, there are " +
                                                    std::to_string(plan->there.host >> 20U) + " MiB");
        }
    }

    const FollowedPages& pages_;
    DocumentJobs jobs_;
};

} // namespace

Components objectsOf(const ObjectRule& rule, const LevelRange& levels, const Image& source, const Image& grey,
                     const Mask* inside, const std::vector<Engine*>& engines, const JobControl& control) {
    const Mask mask = rule.maskOf(source, levels, inside, control);
    ComponentsSpec spec;
    spec.connectivity = rule.connectivity;
    spec.slices = source.extent().slices;
    Components found;
    onFirstThatWorks(engines, [&](Engine& engine) { found = engine.labelComponents(mask, &grey, spec, control); });
    return found;
}

void findOnPages(const FollowedPages& pages, const std::function<void(Components)>& take, const JobContext& context) {
    const JobControl control(context.stop);
    const auto onPage = [](int number, const auto& work) {
        try {
            work();
        } catch (const Error& error) {
            throw Error(error.code(), "page " + std::to_string(number + 1) + ": " + error.what());
        }
    };
    const auto each = [&](const auto& work) {
        for (int number = 0; number < pages.pages; ++number) {
            control.throwIfStopped();
            OpenRequest page = pages.filter.stack;
            page.page = number;
            const JobContext part =
                context.share(static_cast<double>(number) / pages.pages, static_cast<double>(number + 1) / pages.pages);
            work(page, part);
        }
    };
    if (pages.filtered) {
        FilteredPages filtered(pages);
        each([&](const OpenRequest& page, const JobContext& part) {
            onPage(page.page, [&] { take(filtered.find(page, part)); });
        });
        return;
    }
    if (pages.rule.fillHoles) { // masks made by a stream cannot be filled
        each([&](const OpenRequest& page, const JobContext& part) {
            onPage(page.page, [&] {
                const ReadPage read = readPage(pages.filter, page, part.part(0, 1));
                const LevelRange levels = pages.rule.levelsOf(*read.image, read.inside.get(), control);
                take(
                    objectsOf(pages.rule, levels, *read.image, *read.image, read.inside.get(), pages.engines, control));
            });
        });
        return;
    }
    ReadPages read(pages);
    int taken = 0;
    const auto takeOldest = [&] { onPage(taken++, [&] { take(read.pop(control)); }); };
    each([&](const OpenRequest& page, const JobContext& part) {
        if (read.isFull()) {
            takeOldest();
        }
        onPage(page.page, [&] { read.push(page, part.part(0, 1)); });
    });
    while (!read.isEmpty()) {
        takeOldest();
    }
}

} // namespace pollard::vm
