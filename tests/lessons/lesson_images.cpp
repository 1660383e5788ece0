// Draws the images of docs/lessons.md from runs of the players, with the drawings of the grid lab, and the
// images of docs/teach.md, which show the lab itself.

#include "lessons/lab_images.hpp"
#include "lessons/lesson_canvas.hpp"
#include "lessons/lesson_examples.hpp"
#include "theme/theme.hpp"
#include "vm/settings/settings_view_model.hpp"

#include <QApplication>
#include <QDir>

#include <cstdio>

namespace pollard::app {
namespace {

using teach::Layer;
using teach::PlayerSpec;

QString text(const char* words) { return QString::fromUtf8(words); }

void drawTree(const QDir& folder) {
    const DrawnRun run("union-find", teach::twoPeaks(), {});
    const auto end = run.atEnd();
    LessonCanvas canvas(960, 330);
    canvas.part(canvas.cell(0, 0, 3, 1), text("Levels"), run, run.at(0), LabPart::image);
    canvas.part(canvas.cell(1, 0, 3, 1), text("Parents"), run, end, LabPart::parents);
    canvas.part(canvas.cell(2, 0, 3, 1), text("Max-tree"), run, end, LabPart::tree);
    canvas.save(folder.filePath(QStringLiteral("lesson-max-tree.png")));
}

void drawUnionFind(const QDir& folder) {
    const DrawnRun run("union-find", teach::twoPeaks(), {});
    LessonCanvas canvas(960, 600);
    const double parts[] = {0.16, 0.34, 0.6};
    for (int i = 0; i < 3; ++i) {
        const auto cursor = run.afterLine(5, parts[i]);
        canvas.part(canvas.cell(i, 0, 3, 2), text("After %1 steps").arg(cursor.done()), run, cursor, LabPart::image);
        canvas.part(canvas.cell(i, 1, 3, 2), {}, run, cursor, LabPart::tree);
    }
    canvas.save(folder.filePath(QStringLiteral("lesson-union-find.png")));
}

void drawAttributes(const QDir& folder) {
    const DrawnRun run("attributes", teach::twoPeaks(), {});
    LessonCanvas canvas(960, 270);
    const QRectF all = canvas.cell(0, 0, 1, 1);
    canvas.part(QRectF(all.left(), all.top(), 250, all.height()), text("Areas"), run, run.afterLine(2), LabPart::image);
    canvas.part(QRectF(all.left() + 280, all.top(), all.width() - 280, all.height()), text("All nodes"), run,
                run.atEnd(), LabPart::table);
    canvas.save(folder.filePath(QStringLiteral("lesson-attributes.png")));
}

void drawRules(const QDir& folder) {
    const teach::LabImage image = teach::twoMountains();
    LessonCanvas canvas(960, 430);
    const std::vector<std::int64_t> levels(image.levels.begin(), image.levels.end());
    canvas.skyline(canvas.cell(0, 0, 3, 2), text("The image"), image.levels, levels);
    int place = 1;
    for (const Rule rule : kAllRules) {
        const DrawnRun run(teach::playerOf(rule), image, teach::mountainSpec());
        canvas.skyline(canvas.cell(place % 3, place / 3, 3, 2), text(teach::titleOf(rule)), image.levels,
                       run.atEnd().layer(Layer::output));
        ++place;
    }
    canvas.save(folder.filePath(QStringLiteral("lesson-rules.png")));
}

void drawDecisions(const QDir& folder) {
    LessonCanvas canvas(960, 700);
    const DrawnRun criterion("filter-direct", teach::twoMountains(), teach::mountainSpec());
    canvas.part(canvas.cell(0, 0, 3, 2), text("What meets the criterion"), criterion, criterion.afterLine(1),
                LabPart::tree);
    int place = 1;
    for (const Rule rule : kAllRules) {
        const DrawnRun run(teach::playerOf(rule), teach::twoMountains(), teach::mountainSpec());
        canvas.part(canvas.cell(place % 3, place / 3, 3, 2), text(teach::titleOf(rule)), run, run.atEnd(),
                    LabPart::tree);
        ++place;
    }
    canvas.save(folder.filePath(QStringLiteral("lesson-decisions.png")));
}

void drawColumns(const QDir& folder) {
    PlayerSpec spec;
    spec.turns = teach::Turns::random;
    spec.seed = teach::seedWithRetry(4);
    spec.threads = 4;
    const DrawnRun run("columns", teach::peaksAndSaddles(), spec);
    LessonCanvas canvas(960, 350);
    canvas.part(canvas.cell(0, 0, 3, 1), text("Trees of the columns"), run, run.afterLine(3), LabPart::image);
    canvas.part(canvas.cell(1, 0, 3, 1), text("A thread came too late"), run, run.afterLine(teach::kRetryLine, 0),
                LabPart::image);
    canvas.part(canvas.cell(2, 0, 3, 1), text("Parents at the end"), run, run.atEnd(), LabPart::parents);
    canvas.save(folder.filePath(QStringLiteral("lesson-columns.png")));
}

void drawGrid(const QDir& folder) {
    LessonCanvas canvas(720, 380);
    int place = 0;
    for (const Connectivity connectivity : {Connectivity::four, Connectivity::eight}) {
        PlayerSpec spec;
        spec.connectivity = connectivity;
        const DrawnRun run("grid-simplification", teach::peaksAndSaddles(), spec);
        const QString title = connectivity == Connectivity::four ? text("4 neighbours") : text("8 neighbours");
        canvas.part(canvas.cell(place++, 0, 2, 1), title, run, run.atEnd(), LabPart::image);
    }
    canvas.save(folder.filePath(QStringLiteral("lesson-grid.png")));
}

} // namespace
} // namespace pollard::app

int main(int argc, char** argv) {
    const QApplication application(argc, argv);
    if (argc != 2 || !QDir(QString::fromLocal8Bit(argv[1])).exists()) {
        std::fprintf(stderr, "usage: lesson-images FOLDER\n");
        return 2;
    }
    const QDir folder(QString::fromLocal8Bit(argv[1]));
    using namespace pollard::app;
    applyTheme(pollard::vm::SettingsViewModel::Theme::light);
    drawTree(folder);
    drawUnionFind(folder);
    drawAttributes(folder);
    drawRules(folder);
    drawDecisions(folder);
    drawColumns(folder);
    drawGrid(folder);
    drawLab(folder);
    return 0;
}
