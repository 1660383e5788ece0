#include "vm/objects/page_objects.hpp"

#include "vm/document/document_jobs.hpp"
#include "vm/document/image_units.hpp"

#include "base/error.hpp"
#include "components/objects/measured_objects.hpp"
#include "engine/engine_fallback.hpp"
#include "filter/analysis_image.hpp"
#include "image/mask.hpp"
#include "recipe/filter_stages.hpp"
#include "recipe/result_tags.hpp"

#include <QFileInfo>

#include <algorithm>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace pollard::vm {

namespace {

constexpr int kMostUnderWay = 2; ///< while another page is read

/// A page as read, and its pixels that count.
struct ReadPage {
    std::shared_ptr<const Image> image;
    std::shared_ptr<const Mask> inside;
    std::optional<ValueMapping> mapping;
};

ReadPage readPage(const PageFilter& filter, const OpenRequest& page, const JobControl& control) {
    const LoadedImage loaded =
        filter.services.read(QFileInfo(page.path).filesystemFilePath(), page.options(filter.rules.limits), control);
    const auto& domain = filter.tree.domain;
    return {loaded.image, intersection(loaded.valid, domain && fits(*domain, *loaded.image) ? domain : nullptr),
            loaded.info.mapping};
}

/// Objects of the pages filtered by the document.
class FilteredPages {
public:
    explicit FilteredPages(const FollowedPages& pages) : pages_(pages), jobs_(servicesOf(pages)) {}

    /// @param mapping set to the mapping of the page
    [[nodiscard]] Components find(const OpenRequest& page, const JobContext& context,
                                  std::optional<ValueMapping>& mapping) {
        const PageFilter& filter = pages_.filter;
        requireMemory(page);
        const OpenedPage opened = jobs_.filterPage(page, filter.rules, filter.tree, context);
        const Image& source = *opened.tree.frame.image;
        const JobControl control(context.stop);
        mapping = opened.picture.fileInfo ? opened.picture.fileInfo->mapping : std::nullopt;
        const ResultValues values = resultValuesAfter(resultValuesOf(filter.tree.earlier), filter.tree.filter);
        const LevelRange levels =
            pages_.rule.levelsOf(source, opened.picture.inside.get(), control, mappingAfter(mapping, values));
        return objectsOf(pages_.rule, levels, source, *opened.picture.image, opened.picture.inside.get(),
                         {opened.tree.engine.engine, pages_.engines.back()}, control, mapping);
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
                     const Mask* inside, const std::vector<Engine*>& engines, const JobControl& control,
                     const std::optional<ValueMapping>& mapping) {
    const Mask mask = rule.maskOf(source, levels, inside, control, mapping);
    ComponentsSpec spec;
    spec.connectivity = rule.connectivity;
    spec.slices = source.extent().slices;
    Components found;
    onFirstThatWorks(engines, [&](Engine& engine) { found = engine.labelComponents(mask, &grey, spec, control); });
    sumValues(found, grey, mapping, control);
    return found;
}

void findOnPages(const FollowedPages& pages,
                 const std::function<void(Components, const std::optional<ValueMapping>&)>& take,
                 const JobContext& context) {
    const JobControl control(context.stop);
    const auto onPage = [](int number, const auto& work) {
        try {
            work();
        } catch (const Error& error) {
            throw Error(error.code(), "page " + std::to_string(number + 1) + ": " + error.what());
        }
    };
    const int count = pages.along.count;
    const auto each = [&](const auto& work) {
        for (int number = 0; number < count; ++number) {
            control.throwIfStopped();
            OpenRequest page = pages.filter.stack;
            page.page = pages.along.first + number * pages.along.stride;
            const JobContext part =
                context.share(static_cast<double>(number) / count, static_cast<double>(number + 1) / count);
            work(page, part);
        }
    };
    if (pages.filtered) {
        FilteredPages filtered(pages);
        each([&](const OpenRequest& page, const JobContext& part) {
            onPage(page.page, [&] {
                std::optional<ValueMapping> mapping;
                Components found = filtered.find(page, part, mapping);
                take(std::move(found), mapping);
            });
        });
        return;
    }
    if (pages.rule.fillHoles || pages.rule.above) { // streams make masks by levels, and do not fill them
        each([&](const OpenRequest& page, const JobContext& part) {
            onPage(page.page, [&] {
                const ReadPage read = readPage(pages.filter, page, part.part(0, 1));
                const LevelRange levels = pages.rule.levelsOf(*read.image, read.inside.get(), control, read.mapping);
                take(objectsOf(pages.rule, levels, *read.image, *read.image, read.inside.get(), pages.engines, control,
                               read.mapping),
                     read.mapping);
            });
        });
        return;
    }
    // While a page is read, an engine finds the objects of the pages before.
    FallbackStream stream(pages.engines, {.connectivity = pages.rule.connectivity, .algorithm = {}}, kMostUnderWay,
                          pages.filter.services.sessionOptions);
    std::deque<std::pair<int, std::optional<ValueMapping>>> underWay; ///< pages with their mappings
    const auto takeOldest = [&] {
        onPage(underWay.front().first, [&] { take(stream.pop(control).components, underWay.front().second); });
        underWay.pop_front();
    };
    each([&](const OpenRequest& page, const JobContext& part) {
        if (stream.isFull()) {
            takeOldest();
        }
        onPage(page.page, [&] {
            const JobControl reading = part.part(0, 1);
            const ReadPage read = readPage(pages.filter, page, reading);
            const LevelRange levels = pages.rule.levelsOf(*read.image, read.inside.get(), reading, read.mapping);
            stream.push({read.image, read.inside, levels.low, levels.high});
            underWay.emplace_back(page.page, read.mapping);
        });
    });
    while (!stream.isEmpty()) {
        takeOldest();
    }
}

} // namespace pollard::vm
