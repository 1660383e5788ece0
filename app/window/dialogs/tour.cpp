#include "window/dialogs/tour.hpp"

#include "canvas/gl_surface.hpp"
#include "shell/models.hpp"
#include "widgets/panel_parts.hpp"
#include "window/actions.hpp"
#include "window/menus/help_menu.hpp"
#include "window/workspaces.hpp"

#include <QApplication>
#include <QCoreApplication>
#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMainWindow>
#include <QPainter>
#include <QPainterPath>
#include <QPushButton>
#include <QScrollArea>
#include <QSettings>
#include <QToolBar>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
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
    return {.title = tourStepsText("An image to work on"),
            .text =
                tourStepsText("This tour does a small job on your own image: it removes small components, shows the "
                              "removed part, and counts the rest. Open an image, or take the coins."),
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
                "with a smaller area leave the image while you look. The file stays as it is."),
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
                "images beside each other or in turn."),
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
    steps.push_back({.title = tourStepsText("Count and measure"),
                     .text = tourStepsText("This line has the number of objects, and the table measures each object. A "
                                           "click on a row marks the object in the image."),
                     .workspace = "objects",
                     .part = named(window, "objectsSummary")});
    steps.push_back({.title = tourStepsText("Keep the numbers"),
                     .text = tourStepsText("Save the table for a spreadsheet, or the outlines for other programs. "
                                           "Ctrl+Z undoes the changes here, step by step."),
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

namespace {

constexpr int kWidth = 300;  ///< of the note, px
constexpr int kMargin = 14;  ///< inside the note, px
constexpr int kGap = 12;     ///< between note and part, px
constexpr int kLine = 3;     ///< width of the frame, px
constexpr int kRounding = 6; ///< radius of its corners, px
constexpr int kNoteRounding = 8;
constexpr auto kSeen = "tour/seen";

QRegion rounded(const QRect& rect, int radius) {
    QPainterPath path;
    path.addRoundedRect(rect, radius, radius);
    return QRegion(path.toFillPolygon().toPolygon());
}

/// A frame around a part, transparent for the mouse.
class PartFrame : public QWidget {
public:
    explicit PartFrame(QWidget* parent) : QWidget(parent) {
        setAttribute(Qt::WA_TransparentForMouseEvents);
        layOverSurfaces(*this);
    }

protected:
    void resizeEvent(QResizeEvent*) override {
        const QRect inner = rect().adjusted(kLine, kLine, -kLine, -kLine);
        setMask(rounded(rect(), kRounding) - rounded(inner, kRounding - kLine));
    }
    void paintEvent(QPaintEvent*) override { QPainter(this).fillRect(rect(), palette().highlight()); }
};

QRect placeIn(const QWidget& window, const QWidget& part) { return {part.mapTo(&window, QPoint()), part.size()}; }

/// Position of the note next to a part if there is space, else in the middle of the part, within the window.
/// @param inside prefers the middle
QPoint placeOf(bool inside, const QRect& part, const QSize& note, const QRect& window) {
    const int below = part.bottom() + 1 + kGap;
    const int right = part.right() + 1 + kGap;
    const QPoint middle = part.center() - QPoint(note.width() / 2, note.height() / 2);
    // Next to the lower end of a high part, so that the note does not cover the title of the neighbour.
    const int beside = part.height() > 2 * note.height() ? part.bottom() + 1 - note.height() : part.top();
    const std::array places{QPoint(right, beside), QPoint(part.left() - kGap - note.width(), beside),
                            QPoint(part.left(), below), QPoint(part.left(), part.top() - kGap - note.height())};
    const auto within = [&](QPoint place) {
        return QPoint(std::clamp(place.x(), window.left(), std::max(window.left(), window.right() + 1 - note.width())),
                      std::clamp(place.y(), window.top(), std::max(window.top(), window.bottom() + 1 - note.height())));
    };
    for (const QPoint& place : places) {
        if (!inside && !QRect(within(place), note).intersects(part)) {
            return within(place);
        }
    }
    return within(middle);
}

/// Scrolls the areas around a part to it.
void reveal(QWidget& part) {
    for (QWidget* around = part.parentWidget(); around != nullptr; around = around->parentWidget()) {
        if (auto* area = qobject_cast<QScrollArea*>(around)) {
            area->ensureWidgetVisible(&part);
        }
    }
}

} // namespace

Tour::Tour(QMainWindow& window, Models& models)
    : QFrame(&window), window_(window), steps_(tourSteps(window, models)), frame_(new PartFrame(&window)),
      title_(new QLabel(this)), text_(new QLabel(this)), count_(new CaptionLabel({}, this)),
      done_(new CaptionLabel(tr("Done"), this)), act_(new QPushButton(tr("&Do it"), this)),
      back_(new QPushButton(tr("&Back"), this)), next_(new QPushButton(this)) {
    setObjectName(QStringLiteral("tour"));
    setAttribute(Qt::WA_DeleteOnClose);
    layOverSurfaces(*this);
    setFrameShape(QFrame::StyledPanel);
    QFont bold = title_->font();
    bold.setWeight(QFont::DemiBold);
    title_->setFont(bold);
    text_->setWordWrap(true);
    text_->setFixedWidth(kWidth);
    auto* done = new QPushButton(tr("End"), this); // no letter: Esc
    act_->setObjectName(QStringLiteral("tourAct"));
    back_->setObjectName(QStringLiteral("tourBack"));
    next_->setObjectName(QStringLiteral("tourNext"));
    done->setObjectName(QStringLiteral("tourEnd"));
    explain(act_, tr("Do it"), tr("Let the tour do this step; Undo takes it back"));
    explain(back_, tr("Back"), tr("To the previous step"));
    explain(next_, tr("Next"), tr("To the next step; the last one ends the tour"));
    explain(done, tr("End"), tr("End the tour (Esc); Help > Tour starts it again"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kMargin, kMargin, kMargin, kMargin);
    column->setSpacing(kPanelSpacing);
    column->addWidget(title_);
    column->addWidget(text_);
    auto* action = new QHBoxLayout;
    action->addWidget(act_);
    action->addWidget(done_);
    action->addStretch(1);
    column->addLayout(action);
    auto* row = new QHBoxLayout;
    row->addWidget(count_);
    row->addStretch(1);
    row->addWidget(done);
    row->addWidget(back_);
    row->addWidget(next_);
    column->addLayout(row);
    connect(act_, &QPushButton::clicked, this, [this] { current().act(); });
    connect(back_, &QPushButton::clicked, this, &Tour::back);
    connect(next_, &QPushButton::clicked, this, &Tour::next);
    connect(done, &QPushButton::clicked, this, &Tour::end);

    using Filter = vm::FilterViewModel;
    connect(&models.document, &vm::DocumentViewModel::frameReady, this, &Tour::showDone);
    connect(&models.document, &vm::DocumentViewModel::hasImageChanged, this, &Tour::showDone);
    connect(&models.document.activity(), &vm::DocumentActivity::busyChanged, this, &Tour::showDone);
    connect(&models.display.compare(), &vm::CompareViewModel::modeChanged, this, &Tour::showDone);
    connect(&models.objects, &vm::ObjectsViewModel::settingsChanged, this, &Tour::showDone);
    for (const auto signal : {&Filter::rangeChanged, &Filter::domainChanged, &Filter::enabledChanged}) {
        connect(&models.filter, signal, this, &Tour::showDone);
    }
    qApp->installEventFilter(this); // to notice the size of the window, and Escape in all its parts
    frame_->show();
    show();
    goTo(0);
}

Tour::~Tour() { delete frame_.data(); }

QWidget& Tour::part() const {
    QWidget* part = current().part();
    return part != nullptr && isSeen(*part) ? *part : *window_.centralWidget();
}

void Tour::next() {
    if (step_ + 1 < stepCount()) {
        goTo(step_ + 1);
    } else {
        end();
    }
}

void Tour::back() { goTo(std::max(step_ - 1, 0)); }

void Tour::end() {
    leaveStep();
    close();
}

void Tour::leaveStep() {
    if (current().leave) {
        current().leave();
    }
}

void Tour::goTo(int step) {
    if (step != step_) {
        leaveStep();
    }
    step_ = step;
    const TourStep& shown = current();
    if (shown.workspace != nullptr) {
        window_.findChild<Workspaces*>()->show(QLatin1String(shown.workspace));
    }
    if (QWidget* part = shown.part(); part != nullptr) {
        reveal(*part);
    }
    title_->setText(shown.title);
    text_->setText(shown.text);
    count_->setText(tr("%1 of %2").arg(step + 1).arg(stepCount()));
    setAccessibleName(shown.title);
    setAccessibleDescription(shown.text);
    back_->setEnabled(step > 0 && !steps_[static_cast<std::size_t>(step) - 1].waits);
    next_->setText(step + 1 < stepCount() ? tr("&Next") : tr("&Done"));
    showDone();
    (next_->isEnabled() && !act_->isEnabled() ? next_ : act_)->setFocus();
    place();
    QMetaObject::invokeMethod(this, &Tour::place, Qt::QueuedConnection); // after the layout of another workspace
}

void Tour::showDone() {
    const TourStep& shown = current();
    const bool done = shown.isDone && shown.isDone();
    if (shown.waits && done) {
        const auto goOn = [this] {
            if (current().waits && current().isDone()) {
                goTo(step_ + 1);
            }
        };
        QMetaObject::invokeMethod(this, goOn, Qt::QueuedConnection); // after the image has taken the focus
        return;
    }
    const bool wasPossible = act_->isEnabled();
    const bool hadFocus = act_->hasFocus();
    act_->setVisible(shown.act != nullptr);
    act_->setEnabled(shown.act && !done && shown.isPossible());
    done_->setVisible(done);
    next_->setEnabled(!shown.waits);
    if (hadFocus && done) {
        next_->setFocus();
    } else if (!wasPossible && act_->isEnabled() && next_->hasFocus()) {
        act_->setFocus();
    }
}

void Tour::place() {
    const QRect part = placeIn(window_, this->part());
    frame_->setGeometry(part.adjusted(-kLine, -kLine, kLine, kLine) & window_.rect());
    frame_->raise();
    text_->setFixedHeight(text_->heightForWidth(kWidth));
    adjustSize();
    move(placeOf(&this->part() == window_.centralWidget(), part, size(), window_.rect()));
    raise();
}

QPushButton* Tour::buttonOf(const QKeyEvent& event) const {
    for (QPushButton* button : {act_, back_, next_}) {
        if (button->isVisible() && event.modifiers() == Qt::AltModifier &&
            button->shortcut() == QKeySequence(event.keyCombination())) {
            return button;
        }
    }
    return nullptr;
}

bool Tour::takeKey(QKeyEvent& event) {
    QPushButton* const button = buttonOf(event);
    if (event.type() == QEvent::ShortcutOverride) {
        if (event.key() == Qt::Key_Escape) {
            end();
        } else if (button != nullptr) {
            event.accept(); // even if the button is disabled: another control with this letter is not pressed
            return true;
        }
        return false;
    }
    if (button != nullptr) {
        button->click();
    }
    return button != nullptr;
}

bool Tour::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride || event->type() == QEvent::KeyPress) {
        const auto* widget = qobject_cast<QWidget*>(watched);
        return widget != nullptr && widget->window() == &window_ && takeKey(*static_cast<QKeyEvent*>(event));
    }
    if (watched != &window_) {
        return false;
    }
    if (event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest) {
        QMetaObject::invokeMethod(this, &Tour::place, Qt::QueuedConnection); // after the layout of the parts
    }
    return QFrame::eventFilter(watched, event);
}

void Tour::resizeEvent(QResizeEvent* event) {
    QFrame::resizeEvent(event);
    setMask(rounded(rect(), kNoteRounding)); // rounds the border
}

void Tour::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) { // outside of a dialog it presses no button
        (act_->hasFocus() ? act_ : next_)->click();
    } else {
        QFrame::keyPressEvent(event);
    }
}

void startTour(QMainWindow& window, Models& models) {
    if (auto* running = window.findChild<Tour*>(); running != nullptr) {
        running->end();
        delete running;
    }
    new Tour(window, models); // owned by the window
}

void offerTour(QMainWindow& window, Models& models, QSettings& store) {
    if (!store.value(QLatin1String(kSeen), false).toBool()) {
        store.setValue(QLatin1String(kSeen), true);
        startTour(window, models);
    }
}

} // namespace pollard::app
