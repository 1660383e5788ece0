#include "window/dialogs/tour_steps.hpp"

#include "shell/models.hpp"
#include "window/actions.hpp"
#include "window/menus/help_menu.hpp"

#include <QCoreApplication>
#include <QMainWindow>
#include <QToolBar>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pollard::app {
namespace {

constexpr double kSmallShare = 0.0005; ///< of the image's pixels: an area that the tour removes

QString tourStepsText(const char* source) { return QCoreApplication::translate("TourSteps", source); }

std::function<QWidget*()> named(const QMainWindow& window, const char* name) {
    return [&window, name] { return window.findChild<QWidget*>(QLatin1String(name)); };
}

TourStep openingStep(QMainWindow& window, Models& models) {
    return {.title = tourStepsText("A picture to work on"),
            .text =
                tourStepsText("This tour does a small job on your own picture: it removes small components, shows the "
                              "removed part, and counts the rest. Open a picture, or take the coins."),
            .part = named(window, "welcomePage"),
            .act = [&window, &models] { openSample(window, models, QStringLiteral("coins_384x303_u8.tif")); },
            .isPossible = [&models] { return !models.document.activity().isBusy(); },
            .isDone = [&models] { return models.document.hasImage(); },
            .waits = true};
}

TourStep filterStep(QMainWindow& window, Models& models) {
    vm::FilterViewModel& filter = models.filter;
    const auto act = [&models, &filter] {
        const vm::EditHistory::Group group(models.history, tourStepsText("tour: remove small components"));
        const auto image = models.document.image();
        const double area = std::max(2.0, std::round(kSmallShare * static_cast<double>(image->pixelCount())));
        filter.setEnabled(true);
        filter.setCriterion({AttributeId::area, area, std::numeric_limits<double>::infinity()});
        if (filter.isPending()) {
            filter.apply();
        }
    };
    return {.title = tourStepsText("Remove small components"),
            .text = tourStepsText(
                "Small components are often noise. Drag the left handle, or enter a number in From: components "
                "with a smaller area leave the picture while you look. The file stays as it is."),
            .workspace = "filter",
            .part = named(window, "criterionControls"),
            .act = act,
            .isPossible = [&models, &filter] { return models.document.hasImage() && filter.isAvailable(); },
            .isDone = [&filter] { return filter.isEnabled() && filter.minimum() > filter.domainMinimum(); }};
}

TourStep differenceStep(QMainWindow& window, Models& models, Actions& actions) {
    vm::CompareViewModel& compare = models.display.compare();
    using Mode = vm::CompareViewModel::Mode;
    const auto part = [&window, &actions]() -> QWidget* {
        auto* bar = window.findChild<QToolBar*>(QStringLiteral("toolBar"));
        QWidget* button = bar->widgetForAction(actions.difference);
        return button->isVisible() ? button : bar;
    };
    return {.title = tourStepsText("Look at the removed part"),
            .text = tourStepsText(
                "Difference (D) shows in colour what the filter has changed. The other buttons here show both "
                "pictures beside each other or in turn."),
            .part = part,
            .act = [&compare] { compare.setMode(Mode::difference); },
            .isPossible = [&models] { return models.document.hasResult(); },
            .isDone = [&compare] { return compare.mode() == Mode::difference; },
            .leave = [&compare, before = compare.mode()] { compare.setMode(before); }};
}

TourStep thresholdStep(QMainWindow& window, Models& models) {
    vm::ObjectsViewModel& objects = models.objects;
    const auto act = [&models, &objects] {
        const vm::EditHistory::Group group(models.history, tourStepsText("tour: find objects"));
        objects.setThreshold(ThresholdMethod::otsu);
    };
    return {.title = tourStepsText("Find the objects"),
            .text =
                tourStepsText("The workspace Objects (Alt+2) finds objects by a threshold. Choose the method Otsu: it "
                              "separates objects and ground by their grey levels."),
            .workspace = "objects",
            .part = named(window, "objectsThreshold"),
            .act = act,
            .isPossible = [&models] { return models.document.hasImage(); },
            .isDone = [&objects] { return objects.threshold() == ThresholdMethod::otsu; }};
}

} // namespace

std::vector<TourStep> tourSteps(QMainWindow& window, Models& models) {
    std::vector<TourStep> steps;
    if (!models.document.hasImage()) {
        steps.push_back(openingStep(window, models));
    }
    steps.push_back(filterStep(window, models));
    steps.push_back(differenceStep(window, models, *window.findChild<Actions*>()));
    steps.push_back(thresholdStep(window, models));
    steps.push_back(
        {.title = tourStepsText("Count and measure"),
         .text = tourStepsText("This line has the number of objects, and the table measures each of them. A click on "
                               "a row marks the object in the picture."),
         .workspace = "objects",
         .part = named(window, "objectsSummary")});
    steps.push_back(
        {.title = tourStepsText("Keep the numbers"),
         .text = tourStepsText("Save the table for a spreadsheet, or the outlines for other programs. Ctrl+Z takes "
                               "back what was done here, step by step."),
         .workspace = "objects",
         .part = named(window, "objectsSave")});
    steps.push_back(
        {.title = tourStepsText("Other jobs"),
         .text = tourStepsText("Each workspace arranges the panels for one kind of work. F1 explains the panel with "
                               "the focus, Ctrl+K finds a command by its words, and Help > First steps has six "
                               "tutorials."),
         .part = named(window, "workspaceBar")});
    return steps;
}

} // namespace pollard::app
