#pragma once

#include "app/support/windows.hpp"

#include "canvas/canvas.hpp"
#include "cpu/cpu_engine.hpp"
#include "engine/engine_registry.hpp"
#include "io/image_file.hpp"
#include "shell/models.hpp"
#include "shell/notices.hpp"
#include "window/actions.hpp"
#include "window/main_window.hpp"

#include <QApplication>
#include <QImage>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <QWindow>
#include <gmock/gmock.h>

#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <string>

namespace pollard::app {

using SharedImage = std::shared_ptr<const Image>;

/// Image whose level at (x, y) is the value of the function.
inline SharedImage makeImage(PixelType type, std::uint32_t width, std::uint32_t height,
                             const std::function<int(std::uint32_t, std::uint32_t)>& level) {
    auto image = std::make_shared<Image>(type, width, height);
    dispatch(type, [&]<class T>(T) {
        for (std::uint32_t y = 0; y < height; ++y) {
            for (std::uint32_t x = 0; x < width; ++x) {
                image->pixels<T>()[std::size_t{y} * width + x] = static_cast<T>(level(x, y));
            }
        }
    });
    return image;
}

inline SharedImage makeNoise(std::uint32_t side, int maxLevel = 255) {
    std::mt19937 random(7);
    return makeImage(maxLevel > 255 ? PixelType::u16 : PixelType::u8, side, side,
                     [&](std::uint32_t, std::uint32_t) { return static_cast<int>(random() % (maxLevel + 1)); });
}

class RecordingPresenter : public ErrorPresenter {
public:
    void present(QWidget*, const QString& title, const QString& text) override {
        titles << title;
        texts << text;
    }
    QStringList titles;
    QStringList texts;
};

/// The real window with the real engine, or one supplied by a test; images come from memory by name, other paths from
/// disk.
class TestWindow {
public:
    /// @param engine in addition to the real one, preferred
    explicit TestWindow(std::unique_ptr<Engine> engine = nullptr)
        : store_(settingsFolder_.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat),
          registry_(registryWith(std::move(engine))), models(services(), store_), window(models, registry_, errors) {
        window.resize(1100, 760);
        window.show();
        EXPECT_TRUE(appears(window));
        EXPECT_TRUE(activate(window));
    }

    /// Opens an image and waits until it is filtered and painted.
    void open(const std::string& name, SharedImage image) {
        images_[name] = std::move(image);
        window.openFile(QString::fromStdString("/memory/" + name));
        ASSERT_TRUE(settle()) << "the image did not open: " << errors.texts.join(u'\n').toStdString();
        ASSERT_TRUE(models.document.hasImage());
    }

    /// Waits until no job runs and the canvas is up to date.
    [[nodiscard]] bool settle() {
        return QTest::qWaitFor(
            [this] {
                using State = vm::DocumentActivity::State;
                const auto& document = models.document;
                const bool fetched = !document.hasResult() || document.result() != nullptr;
                const bool calm = fetched && !document.activity().isBusy() && !document.activity().isFiltering() &&
                                  document.activity().state() != State::loading &&
                                  document.activity().state() != State::building;
                return calm && (window.canvas() == nullptr || !document.hasImage() || window.canvas()->isUpToDate());
            },
            kPatience);
    }

    /// Waits until no layout is due and the view has the size of the canvas.
    [[nodiscard]] bool isLaidOut() {
        QCoreApplication::processEvents();
        return QTest::qWaitFor(
            [this] {
                const Canvas& canvas = *window.canvas();
                return models.display.view().viewSize.toSize() == canvas.size() * canvas.devicePixelRatioF();
            },
            kPatience);
    }

    /// Colour of the canvas at the centre of a pixel of the image.
    [[nodiscard]] QColor colourAt(int x, int y) {
        const QImage shown = window.canvas()->grabFramebuffer();
        return shown.pixelColor(models.display.view().toView({x + 0.5, y + 0.5}).toPoint());
    }

    /// The engine's result for the open image and the current filter, computed directly.
    [[nodiscard]] SharedImage directResult(const FilterSpec& spec) {
        auto session = registry_.select("cpu").openSession();
        const SharedImage image = models.document.image();
        session->open(image);
        session->buildTree(models.document.choices().treeSpec());
        auto out = std::make_shared<Image>(image->type(), image->width(), image->height());
        session->filter(spec, *out);
        return out;
    }

    template <class T> [[nodiscard]] T* part(const char* name) {
        T* found = window.findChild<T*>(QLatin1String(name));
        EXPECT_NE(found, nullptr) << "no part called " << name;
        return found;
    }

    /// Position of a point of a widget in the window.
    [[nodiscard]] QPoint inWindow(const QWidget* part, QPointF place) const {
        return part->mapTo(&window, place).toPoint();
    }
    void press(QPoint place) { QTest::mousePress(window.windowHandle(), Qt::LeftButton, Qt::NoModifier, place); }
    void move(QPoint place) { QTest::mouseMove(window.windowHandle(), place); }
    void release(QPoint place) { QTest::mouseRelease(window.windowHandle(), Qt::LeftButton, Qt::NoModifier, place); }

private:
    static EngineRegistry registryWith(std::unique_ptr<Engine> engine) {
        EngineRegistry registry{makeCpuEngine()};
        if (engine) {
            registry.add(std::move(engine));
        }
        return registry;
    }
    vm::DocumentServices services() {
        vm::DocumentServices services = vm::DocumentServices::standard(registry_);
        services.read = [this, fromDisk = services.read](const std::filesystem::path& path, const ReadOptions& options,
                                                         const JobControl& control) {
            const auto found = images_.find(path.filename().string());
            if (found == images_.end()) {
                return fromDisk(path, options, control);
            }
            LoadedImage loaded;
            loaded.image = found->second;
            loaded.info.format = "memory";
            loaded.info.width = loaded.image->width();
            loaded.info.height = loaded.image->height();
            loaded.info.bits = bitsOf(loaded.image->type());
            loaded.info.samples = 1;
            return loaded;
        };
        return services;
    }

    QTemporaryDir settingsFolder_;
    QSettings store_;
    EngineRegistry registry_{makeCpuEngine()};
    std::map<std::string, SharedImage> images_; ///< written only while no job runs

public:
    RecordingPresenter errors;
    Models models;
    MainWindow window;
};

inline bool samePixels(const Image& a, const Image& b) {
    return a.type() == b.type() && a.bytes() == b.bytes() && std::memcmp(a.data(), b.data(), a.bytes()) == 0;
}

} // namespace pollard::app
