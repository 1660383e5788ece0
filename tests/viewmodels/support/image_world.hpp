#pragma once

#include "vm/document/document_view_model.hpp"

#include "fake_engine.hpp"
#include "support/random_images.hpp"
#include "wait.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <string>

namespace pollard::testing {

/// A document with synthetic images. The fake engine fills the filtered image with the bound of the criterion.
struct ImageWorld {
    struct Page {
        std::shared_ptr<const Image> image;
        std::shared_ptr<const Mask> valid;
        std::optional<ValueMapping> mapping;
        int bits = 0; ///< stated by the file; 0: as the pixel type
        std::optional<ChannelWindow> window = {};
    };
    FakeWorld world;
    std::map<std::string, std::vector<Page>> files;
    vm::DocumentViewModel document{services()};

    vm::DocumentServices services() {
        vm::DocumentServices s = fakeServices(world);
        s.read = [this](const std::filesystem::path& path, const ReadOptions& options, const JobControl&) {
            const std::vector<Page>& pages = files.at(path.filename().string());
            const Page& page = pages.at(static_cast<std::size_t>(options.page));
            LoadedImage loaded{page.image, page.valid, {}};
            loaded.info.width = page.image->width();
            loaded.info.height = page.image->height();
            loaded.info.bits = page.bits != 0 ? page.bits : bitsOf(page.image->type());
            loaded.info.samples = 1;
            loaded.info.pages = static_cast<int>(pages.size());
            loaded.info.page = options.page;
            loaded.info.mapping = page.mapping;
            loaded.info.window = page.window;
            return loaded;
        };
        return s;
    }
    [[nodiscard]] bool rests() {
        return eventually([&] { return !document.activity().isBusy() && !document.activity().isFiltering(); });
    }
    void open(const std::string& name) {
        document.open(QString::fromStdString("/pictures/" + name));
        ASSERT_TRUE(rests());
        ASSERT_EQ(document.activity().state(), vm::DocumentActivity::State::ready)
            << document.activity().lastError().toStdString();
    }
    void open(const std::string& name, std::shared_ptr<const Image> image) {
        files[name] = {{std::move(image), nullptr, std::nullopt, 0}};
        open(name);
    }
    void filter(const FilterSpec& spec) {
        document.requestFilter(spec);
        ASSERT_TRUE(rests());
    }
};

} // namespace pollard::testing
