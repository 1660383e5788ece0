#include "window/dialogs/tour.hpp"

#include "canvas/gl_surface.hpp"
#include "widgets/panel_parts.hpp"

#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMainWindow>
#include <QMenuBar>
#include <QPainter>
#include <QPainterPath>
#include <QPushButton>
#include <QSettings>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace pollard::app {
namespace {

constexpr int kWidth = 330;  ///< of the note, px
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

/// Position beside a part if there is space, else in its middle, within the window.
/// @param inside prefers the middle
QPoint placeOf(bool inside, const QRect& part, const QSize& note, const QRect& window) {
    const int below = part.bottom() + 1 + kGap;
    const int right = part.right() + 1 + kGap;
    const QPoint middle = part.center() - QPoint(note.width() / 2, note.height() / 2);
    const std::array places{QPoint(right, part.top()), QPoint(part.left() - kGap - note.width(), part.top()),
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

} // namespace

Tour::Tour(QMainWindow& window)
    : QFrame(&window), window_(window), frame_(new PartFrame(&window)), title_(new QLabel(this)),
      text_(new QLabel(this)), count_(new CaptionLabel({}, this)), back_(new QPushButton(tr("&Back"), this)),
      next_(new QPushButton(this)) {
    setObjectName(QStringLiteral("tour"));
    setAttribute(Qt::WA_DeleteOnClose);
    layOverSurfaces(*this);
    setFrameShape(QFrame::StyledPanel);
    QFont bold = title_->font();
    bold.setWeight(QFont::DemiBold);
    title_->setFont(bold);
    text_->setWordWrap(true);
    text_->setFixedWidth(kWidth);
    auto* done = new QPushButton(tr("&End"), this);
    back_->setObjectName(QStringLiteral("tourBack"));
    next_->setObjectName(QStringLiteral("tourNext"));
    done->setObjectName(QStringLiteral("tourEnd"));
    explain(back_, tr("Back"), tr("To the previous part"));
    explain(next_, tr("Next"), tr("To the next part; the last one ends the tour"));
    explain(done, tr("End"), tr("End the tour; Help > Tour of the window starts it again"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kMargin, kMargin, kMargin, kMargin);
    column->setSpacing(kPanelSpacing);
    column->addWidget(title_);
    column->addWidget(text_);
    auto* row = new QHBoxLayout;
    row->addWidget(count_);
    row->addStretch(1);
    row->addWidget(done);
    row->addWidget(back_);
    row->addWidget(next_);
    column->addLayout(row);
    connect(back_, &QPushButton::clicked, this, &Tour::back);
    connect(next_, &QPushButton::clicked, this, &Tour::next);
    connect(done, &QPushButton::clicked, this, &Tour::end);

    const auto dock = [&window](const char* name) { return window.findChild<QWidget*>(QLatin1String(name)); };
    stops_ = {
        {window.centralWidget(), tr("The picture"),
         tr("Open an image, or drop one here. The wheel zooms, dragging moves the picture. Nothing that you do changes "
            "a "
            "file until you save.")},
        {dock("toolBar"), tr("Regions in regions"),
         tr("Pollard sees a picture as a tree: bright regions within darker ones with Max, dark regions within "
            "brighter "
            "ones with Min.")},
        {dock("filterDock"), tr("The filter"),
         tr("Choose the attribute that decides which regions stay, for instance the area, and drag the handles: the "
            "picture follows.")},
        {dock("workspaceBar"), tr("Workspaces"),
         tr("Each arranges the panels for one kind of work: filtering, objects to count and measure, contours, a look "
            "into the tree, comparing. The buttons at the bottom open the facts, the display and the regions of the "
            "picture.")},
        {window.menuBar(), tr("More panels"),
         tr("View > Panels has all panels, recipes too. Teach shows how the algorithms work.")},
        {window.menuBar(), tr("Help"),
         tr("F1 explains the focused panel, and Ctrl+K finds a command by its words. Help > First steps opens five "
            "tutorials with pictures to try them on.")},
    };
    window.installEventFilter(this);
    frame_->show();
    show();
    goTo(0);
}

Tour::~Tour() { delete frame_.data(); }

QWidget& Tour::part() const {
    const QPointer<QWidget>& part = stops_[static_cast<std::size_t>(step_)].part;
    return part != nullptr && part->isVisibleTo(&window_) ? *part : *window_.centralWidget();
}

void Tour::next() {
    if (step_ + 1 < stepCount()) {
        goTo(step_ + 1);
    } else {
        end();
    }
}

void Tour::back() { goTo(std::max(step_ - 1, 0)); }

void Tour::end() { close(); }

void Tour::goTo(int step) {
    step_ = step;
    const Stop& stop = stops_[static_cast<std::size_t>(step)];
    title_->setText(stop.title);
    text_->setText(stop.text);
    count_->setText(tr("%1 of %2").arg(step + 1).arg(stepCount()));
    setAccessibleName(stop.title);
    setAccessibleDescription(stop.text);
    back_->setEnabled(step > 0);
    next_->setText(step + 1 < stepCount() ? tr("&Next") : tr("&Done"));
    next_->setFocus();
    place();
}

void Tour::place() {
    const QRect part = placeIn(window_, this->part());
    frame_->setGeometry(part);
    frame_->raise();
    adjustSize();
    move(placeOf(&this->part() == window_.centralWidget(), part, size(), window_.rect()));
    raise();
}

bool Tour::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest) {
        QMetaObject::invokeMethod(this, &Tour::place, Qt::QueuedConnection); // after the layout of the parts
    }
    return QFrame::eventFilter(watched, event);
}

void Tour::resizeEvent(QResizeEvent* event) {
    QFrame::resizeEvent(event);
    setMask(rounded(rect(), kNoteRounding)); // its border is rounded
}

void Tour::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape) {
        end();
    } else if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        next(); // outside of a dialog, Return does not press a button
    } else {
        QFrame::keyPressEvent(event);
    }
}

void startTour(QMainWindow& window) {
    delete window.findChild<Tour*>();
    new Tour(window); // owned by the window
}

void offerTour(QMainWindow& window, QSettings& store) {
    if (!store.value(QLatin1String(kSeen), false).toBool()) {
        store.setValue(QLatin1String(kSeen), true);
        startTour(window);
    }
}

} // namespace pollard::app
