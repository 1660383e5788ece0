#include "window_times/bench_line.hpp"

#include <array>

namespace pollard::app {
namespace {

constexpr int kMostFrames = 100000;

struct Number {
    const char* option;
    const char* unit;
    int BenchLine::*member;
    const char* description;
};

constexpr std::array kNumbers{
    Number{
        "measure-open", "1", &BenchLine::open,
        "Print the times from the start of the process until the window, the early image, the image with its tree and "
        "all results are on the screen, and quit."},
    Number{"measure-drag", "N", &BenchLine::drag,
           "Drag the slider of the filter until N images were shown, print the time from slider to screen (median "
           "and p95) and quit."},
    Number{"measure-view", "N", &BenchLine::view,
           "Zoom and pan through the image for N frames, print their times as JSON and quit."},
    Number{"measure-brush", "N", &BenchLine::brush,
           "As --measure-drag, for a rectangle that is drawn on the attribute plane."},
    Number{"measure-slices", "N", &BenchLine::slices,
           "Go N steps along the slices of a volume, print the time until each is on the screen (median and p95) and "
           "quit."},
    Number{"measure-hover", "N", &BenchLine::hover,
           "Point at N places of the image, print the time until the components there are on the screen (median and "
           "p95) and quit."},
    Number{"pointer-rate", "HZ", &BenchLine::pointerRate,
           "With --measure-hover: so many movements a second, as a mouse makes them, instead of the next one as soon "
           "as the last one is on the screen."},
    Number{"measure-rotation", "N", &BenchLine::rotation,
           "Turn a volume N times in its 3D view with each rendering, print the time until each is on the screen and "
           "that of drawing (median and p95) and quit."},
    Number{
        "measure-cut", "N", &BenchLine::cut,
        "Find the regions of a hierarchy, move the slider of the cut N times, print the time until the regions at the "
        "cut are on the screen (median and p95) and quit."},
    Number{"measure-stroke", "N", &BenchLine::stroke,
           "Draw N strokes with the brush that edits objects by hand, print the time from the mouse to the screen, and "
           "from the end of a stroke to the measurements and to the screen (median and p95), and quit."},
    Number{"measure-focus", "N", &BenchLine::focus,
           "Go into components of the icicle and back, N steps in all, print the time until the movement and its end "
           "are on the screen (median and p95) and quit."},
    Number{"measure-contour", "N", &BenchLine::contour,
           "With --contour: show N of its states one after the other, print the time until each is on the screen "
           "(median and p95) and quit."},
    Number{"measure-live-contour", "N", &BenchLine::liveContour,
           "With --contour and an engine of a GPU: let the contour evolve there N times while its states are drawn "
           "one after the other and N times while they are not, print the engine's times of both and the frames per "
           "second, and quit."},
};

/// Reads the numbers that are given; the error, if any.
QString readNumbers(BenchLine& line) {
    for (const Number& number : kNumbers) {
        const QString name = QLatin1String(number.option);
        const auto text = line.window.own.constFind(name);
        if (text == line.window.own.constEnd()) {
            continue;
        }
        bool isNumber = false;
        const int value = line.*number.member = text->toInt(&isNumber);
        if (!isNumber || value < 1 || value > kMostFrames) {
            return QStringLiteral("--%1: '%2' is not a number of images from 1 to %3")
                .arg(name, *text)
                .arg(kMostFrames);
        }
    }
    if (line.window.own.isEmpty()) {
        return QStringLiteral("no measurement");
    }
    if (line.window.image.isEmpty()) {
        return QStringLiteral("needs an image to open");
    }
    if (line.pointerRate > 0 && line.hover == 0) {
        return QStringLiteral("--pointer-rate: needs --measure-hover");
    }
    if (line.contour + line.liveContour > 0 && !line.window.contour) {
        return QStringLiteral("--measure-%1: needs --contour")
            .arg(line.contour > 0 ? QStringLiteral("contour") : QStringLiteral("live-contour"));
    }
    return {};
}

} // namespace

BenchLine parseBenchLine(const QStringList& arguments) {
    QList<QCommandLineOption> options;
    for (const Number& number : kNumbers) {
        options << QCommandLineOption(QLatin1String(number.option), QLatin1String(number.description),
                                      QLatin1String(number.unit));
    }
    BenchLine line;
    line.window = parseCommandLine(arguments, options);
    if (line.window.error.isEmpty() && line.window.help.isEmpty() && !line.window.version) {
        line.window.error = readNumbers(line);
    }
    return line;
}

} // namespace pollard::app
