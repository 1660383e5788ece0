// Times of the window: from a control, the pointer or the view to the screen.
#include "headless/program.hpp"
#include "headless/screenshot.hpp"
#include "window/main_window.hpp"
#include "window_times/bench_line.hpp"
#include "window_times/contour_measurement.hpp"
#include "window_times/drag_measurement.hpp"
#include "window_times/focus_measurement.hpp"
#include "window_times/open_measurement.hpp"
#include "window_times/stroke_measurement.hpp"
#include "window_times/timed_engine.hpp"
#include "window_times/view_measurement.hpp"

#include "cpu/cpu_engine.hpp"
#include "engine/engine_registry.hpp"

#ifdef POLLARD_WITH_CUDA
#include "cuda/cuda_engine.hpp"
#endif

#include <QApplication>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace {

using namespace pollard;

using Start = std::function<app::Measurement*(app::Models&, app::MainWindow&)>;

/// @param more arguments of the measurement between the number of frames and its parent
template <class Measurement, class... More> Start starting(int frames, More... more) {
    return [=](app::Models& models, app::MainWindow& window) {
        return new Measurement(models, window, frames, more..., &window);
    };
}

/// Starts the last of @p todo, prints its report, and continues with the others.
void measure(app::Models& models, app::MainWindow& window, std::vector<Start> todo, const app::Finished& finished) {
    if (todo.empty()) {
        finished({});
        return;
    }
    const app::Measurement* measurement = todo.back()(models, window);
    todo.pop_back();
    QObject::connect(measurement, &app::Measurement::finished, &window,
                     [&models, &window, todo = std::move(todo), finished](const QString& report, const QString& error) {
                         if (error.isEmpty()) {
                             std::puts(report.toUtf8().constData());
                             measure(models, window, todo, finished);
                         } else {
                             finished(error);
                         }
                     });
}

/// The measurements of the command line, the first one last.
std::vector<Start> measurementsOf(const app::BenchLine& line, app::TimedEngine* timed) {
    std::vector<Start> all;
    const auto add = [&all](int frames, Start start) {
        if (frames > 0) {
            all.push_back(std::move(start));
        }
    };
    if (timed != nullptr) {
        add(line.liveContour, starting<app::LiveContourMeasurement>(line.liveContour, std::ref(*timed)));
    }
    add(line.contour, starting<app::ContourMeasurement>(line.contour));
    add(line.focus, starting<app::FocusMeasurement>(line.focus));
    add(line.stroke, starting<app::StrokeMeasurement>(line.stroke));
    add(line.cut, starting<app::CutMeasurement>(line.cut));
    add(line.rotation, starting<app::RotationMeasurement>(line.rotation));
    add(line.hover, starting<app::HoverMeasurement>(line.hover, line.pointerRate));
    add(line.slices, starting<app::SliceMeasurement>(line.slices));
    add(line.brush, starting<app::BrushMeasurement>(line.brush));
    add(line.drag, starting<app::DragMeasurement>(line.drag));
    add(line.view, starting<app::ViewMeasurement>(line.view));
    if (line.open > 0) {
        all.push_back([](app::Models& models, app::MainWindow& window) {
            return new app::OpenMeasurement(models, window, &window);
        });
    }
    return all;
}

} // namespace

int main(int argc, char** argv) {
    if (app::wantsNoWindow(argc, argv)) {
        const QCoreApplication bare(argc, argv);
        return std::max(app::answerWithoutWindow(app::parseBenchLine(QCoreApplication::arguments()).window), 0);
    }
    app::prepareApplication();
    const QApplication application(argc, argv);
    const app::BenchLine line = app::parseBenchLine(QCoreApplication::arguments());
    if (const int answer = app::answerWithoutWindow(line.window); answer >= 0) {
        return answer;
    }
    EngineRegistry registry{makeCpuEngine()};
    app::TimedEngine* timed = nullptr;
#ifdef POLLARD_WITH_CUDA
    auto engine = std::make_unique<app::TimedEngine>(makeCudaEngine());
    timed = engine.get();
    registry.add(std::move(engine));
#endif
    if (const int refused = app::refuseEngine(line.window, registry); refused != 0) {
        return refused;
    }
    if (line.liveContour > 0 && timed == nullptr) {
        app::printError(QStringLiteral("measure a live contour: no engine of a GPU"));
        return 1;
    }
    return app::runHeadless(line.window, registry,
                            [&](app::Models& models, app::MainWindow& window, const app::Finished& finished) {
                                if (line.liveContour > 0) {
                                    models.contours.settings().setEngine({true, {}, {}});
                                }
                                measure(models, window, measurementsOf(line, timed), finished);
                            });
}
