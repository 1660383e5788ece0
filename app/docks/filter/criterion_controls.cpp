#include "docks/filter/criterion_controls.hpp"

#include "docks/filter/attribute_picker.hpp"
#include "docks/value_range_controls.hpp"
#include "theme/icons.hpp"
#include "theme/theme.hpp"
#include "vm/base/value_text.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/filter/attribute_histogram_view_model.hpp"
#include "vm/filter/filter_view_model.hpp"
#include "widgets/couple.hpp"
#include "widgets/form.hpp"
#include "widgets/number_box.hpp"
#include "widgets/panel_parts.hpp"
#include "widgets/range_slider.hpp"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLocale>
#include <QMouseEvent>
#include <QPainter>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace pollard::app {
namespace {

constexpr double kBoundReach = 7; ///< px around a bound within which a press grabs it
constexpr double kTop = 6;        ///< px above the highest bar
constexpr double kBottom = 1;     ///< px of the line below the bars

} // namespace

AttributeHistogramView::AttributeHistogramView(vm::AttributeHistogramViewModel& histogram, vm::FilterViewModel& filter,
                                               double margin, QWidget* parent)
    : QWidget(parent), histogram_(histogram), filter_(filter), margin_(margin), bounds_(kBoundReach) {
    setObjectName(QStringLiteral("attributeHistogram"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    explain(this, tr("Histogram of the attribute"),
            tr("Number of components by value; heights are logarithmic. Drag a bound, or the range between the bounds; "
               "double-click removes both."));
    setAccessibleDescription(
        tr("Left and right move the lower bound, with Shift the upper one; the numbers below hold the same values."));
    connect(&histogram_, &vm::AttributeHistogramViewModel::changed, this, [this] {
        update();
        showReadout();
    });
    connect(&filter_, &vm::FilterViewModel::rangeChanged, this, qOverload<>(&QWidget::update));
    connect(&filter_, &vm::FilterViewModel::enabledChanged, this, qOverload<>(&QWidget::update));
}

QRectF AttributeHistogramView::plot() const {
    return {margin_, kTop, std::max(1.0, width() - 2 * margin_), height() - kTop - kBottom};
}

IntervalHandles::Line AttributeHistogramView::line() const {
    return {.left = plot().left(),
            .length = plot().width(),
            .value = {filter_.minimumPosition(), filter_.maximumPosition()},
            .movable = !histogram_.isEmpty() && isEnabled()};
}

double AttributeHistogramView::pixelOf(double place) const { return line().pixelOf(place); }

QPolygonF AttributeHistogramView::barsOn(const QRectF& plot) const {
    QPolygonF bars;
    for (const QPointF& point : histogram_.outline()) {
        bars << QPointF(pixelOf(point.x()), plot.bottom() - point.y() * plot.height());
    }
    return bars;
}

void AttributeHistogramView::paintDecades(QPainter& painter, const QRectF& plot) const {
    const vm::ValueDomain& domain = filter_.domain();
    if (!domain.logarithmic) {
        return;
    }
    painter.setPen(QPen(hairline(palette()), 1));
    for (double value = 1; value < domain.maximum; value *= 10) {
        const double x = std::round(pixelOf(domain.positionOf(value))) + 0.5;
        if (value > domain.minimum && x > plot.left() + 2) {
            painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
        }
    }
}

void AttributeHistogramView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const QRectF area = plot();
    painter.setPen(QPen(hairline(palette()), 1));
    const double floor = std::floor(area.bottom()) + 0.5;
    painter.drawLine(QPointF(area.left(), floor), QPointF(area.right(), floor));
    if (histogram_.isEmpty()) {
        return;
    }
    paintDecades(painter, area);
    painter.setRenderHint(QPainter::Antialiasing);
    const QPolygonF bars = barsOn(area);
    QColor removed = palette().color(QPalette::WindowText);
    removed.setAlphaF(0.22F);
    QColor kept = palette().color(QPalette::WindowText);
    kept.setAlphaF(isEnabled() ? 0.6F : 0.22F);
    const double low = pixelOf(histogram_.keptStart());
    const double high = pixelOf(histogram_.keptEnd());
    const auto paintPart = [&](double from, double to, const QColor& colour) {
        if (to > from) {
            painter.setClipRect(QRectF(QPointF(from, 0), QPointF(to, height())));
            painter.setPen(Qt::NoPen);
            painter.setBrush(colour);
            painter.drawPolygon(bars);
        }
    };
    paintPart(0, low, removed);
    paintPart(low, high, kept);
    paintPart(high, width(), removed);
    painter.setClipping(false);
    IntervalHandles::paint(painter, line(), area, *this);
}

void AttributeHistogramView::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) {
        QWidget::mousePressEvent(event);
        return;
    }
    bounds_.press(line(), event->position().x());
}

void AttributeHistogramView::mouseMoveEvent(QMouseEvent* event) {
    pointer_ = event->position().x();
    const auto [low, high] = bounds_.drag(line(), *pointer_);
    if (bounds_.dragged() == IntervalHandles::Part::low) {
        filter_.setMinimumPosition(low);
    } else if (bounds_.dragged() == IntervalHandles::Part::high) {
        filter_.setMaximumPosition(high);
    } else if (bounds_.dragged() == IntervalHandles::Part::both) {
        filter_.setRange(filter_.domain().valueAt(low), filter_.domain().valueAt(high));
    } else {
        bounds_.showCursor(*this, line(), *pointer_);
    }
    showReadout();
}

void AttributeHistogramView::mouseReleaseEvent(QMouseEvent*) { bounds_.release(); }

void AttributeHistogramView::mouseDoubleClickEvent(QMouseEvent*) {
    if (!histogram_.isEmpty()) {
        filter_.reset();
    }
}

void AttributeHistogramView::keyPressEvent(QKeyEvent* event) {
    const auto [part, steps] = IntervalHandles::keyOf(*event);
    if (histogram_.isEmpty() || part == IntervalHandles::Part::none) {
        QWidget::keyPressEvent(event);
        return;
    }
    if (part == IntervalHandles::Part::high) {
        filter_.setMaximum(steppedBound(filter_.domain(), filter_.maximum(), steps));
    } else {
        filter_.setMinimum(steppedBound(filter_.domain(), filter_.minimum(), steps));
    }
}

void AttributeHistogramView::leaveEvent(QEvent* event) {
    QWidget::leaveEvent(event);
    pointer_.reset();
    showReadout();
}

void AttributeHistogramView::showReadout() {
    QString text;
    if (pointer_) {
        const int bar = histogram_.barAt(line().valueAt(*pointer_));
        text = bar >= 0 ? histogram_.barText(static_cast<std::size_t>(bar)) : QString();
    }
    emit readoutChanged(text);
}

namespace {

QString valueText(const vm::ValueDomain& domain, double value) {
    return QLocale().toString(value, 'f', domain.integral ? 0 : domain.decimals);
}

/// A field of a bound. Typed numbers are shown without trailing zeros, others are rounded.
class BoundBox : public NumberBox {
public:
    using NumberBox::NumberBox;

    [[nodiscard]] QString textFromValue(double value) const override {
        if (decimals() > kMostPlain) {
            return locale().toString(value, 'g', kMostPlain); // very small values
        }
        QString text = NumberBox::textFromValue(value);
        if (!property(kTyped).toBool() || !text.contains(locale().decimalPoint())) {
            return text;
        }
        while (text.endsWith(locale().zeroDigit())) {
            text.chop(1);
        }
        if (text.endsWith(locale().decimalPoint())) {
            text.chop(locale().decimalPoint().size());
        }
        return text;
    }

    static constexpr auto kTyped = "typed";
    static constexpr int kMostPlain = 9;
};

/// The unit after the number, if both fit into a field.
QString boxSuffix(const vm::ValueDomain& domain, const QString& unit) {
    constexpr double kLargest = 1e7;
    constexpr int kLongest = 4;
    return !unit.isEmpty() && unit.size() <= kLongest && domain.maximum < kLargest ? QStringLiteral(" ") + unit
                                                                                   : QString();
}

} // namespace

QWidget* captioned(const QString& caption, QWidget* control) {
    auto* box = new QWidget;
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(3);
    auto* label = new CaptionLabel(caption, box);
    label->setBuddy(control);
    layout->addWidget(label);
    layout->addWidget(control);
    return box;
}

CriterionControls::CriterionControls(vm::FilterViewModel& filter, vm::DocumentViewModel& document, QWidget* parent)
    : QWidget(parent), filter_(filter), document_(document), histogram_(document, filter),
      attribute_(new AttributeButton(this)), reset_(new QToolButton(this)), range_(new RangeSlider(this)),
      chart_(new AttributeHistogramView(histogram_, filter_, range_->pixelOf(0), this)),
      domainStart_(new CaptionLabel(QString(), this)), domainEnd_(new CaptionLabel(QString(), this)),
      readout_(new ElidedLabel(this)), problem_(new QLabel(this)), even_(evenRangeButton(document, this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);

    setObjectName(QStringLiteral("criterionControls"));
    attribute_->setObjectName(QStringLiteral("attribute"));
    reset_->setIcon(themedIcon(QStringLiteral("reset")));
    reset_->setAutoRaise(true);
    explain(reset_, "resetRange", tr("Reset the range"), tr("Reset the range: remove both bounds"));
    auto* head = new QHBoxLayout;
    head->setSpacing(2);
    head->addWidget(attribute_, 1);
    head->addWidget(reset_);
    layout->addLayout(head);

    range_->setObjectName(QStringLiteral("range"));
    range_->setToolTip(tr("Components inside the range are kept. Drag a handle, or the bar between both."));
    layout->addWidget(range_);
    layout->addWidget(chart_);
    auto* ends = new QHBoxLayout;
    ends->addWidget(domainStart_);
    ends->addStretch(1);
    ends->addWidget(domainEnd_);
    layout->addLayout(ends);
    readout_->setObjectName(QStringLiteral("attributeReadout"));
    readout_->setAlignment(Qt::AlignCenter);
    layout->addWidget(readout_);
    layout->addSpacing(2);
    layout->addWidget(makeBoxes());
    problem_->setObjectName(QStringLiteral("criterionProblem"));
    problem_->setWordWrap(true);
    problem_->setTextFormat(Qt::PlainText);
    layout->addWidget(problem_);
    layout->addWidget(even_);
    connectModel();
}

QDoubleSpinBox* CriterionControls::makeBound(const QString& name, const QString& objectName) {
    auto* box = new BoundBox;
    box->setObjectName(objectName);
    box->setAccessibleName(name);
    box->setGroupSeparatorShown(true);
    box->setKeyboardTracking(false); // a partly typed number is no threshold
    box->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    box->setMinimumWidth(80);
    return box;
}

QWidget* CriterionControls::makeBoxes() {
    auto* box = new QWidget(this);
    minimum_ = makeBound(tr("Smallest value that is kept"), QStringLiteral("minimum"));
    maximum_ = makeBound(tr("Largest value that is kept"), QStringLiteral("maximum"));
    minimum_->setToolTip(tr("Components with a smaller value are removed; equal ones are kept"));
    maximum_->setToolTip(tr("Components with a larger value are removed; equal ones are kept"));
    units_ = makeControl<QComboBox>(nullptr, "boundUnit", tr("Unit of the bounds"),
                                    tr("Unit of both bounds; another unit converts the numbers"));
    units_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    auto* layout = new QHBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kPanelSpacing);
    layout->addWidget(captioned(tr("&From"), minimum_), 1);
    layout->addWidget(captioned(tr("&To"), maximum_), 1);
    unitBox_ = captioned(tr("Unit"), units_);
    layout->addWidget(unitBox_);
    return box;
}

void CriterionControls::connectModel() {
    using Filter = vm::FilterViewModel;
    connect(attribute_, &AttributeButton::chosen, &filter_, &Filter::setAttribute);
    connect(reset_, &QToolButton::clicked, &filter_, &Filter::reset);
    connect(range_, &RangeSlider::lowerMoved, &filter_, &Filter::setMinimumPosition);
    connect(range_, &RangeSlider::upperMoved, &filter_, &Filter::setMaximumPosition);
    connect(range_, &RangeSlider::lowerStepped, &filter_,
            [this](int steps) { filter_.setMinimum(steppedBound(filter_.domain(), filter_.minimum(), steps)); });
    connect(range_, &RangeSlider::upperStepped, &filter_,
            [this](int steps) { filter_.setMaximum(steppedBound(filter_.domain(), filter_.maximum(), steps)); });
    connect(minimum_, &QDoubleSpinBox::valueChanged, &filter_, &Filter::setTypedMinimum);
    connect(maximum_, &QDoubleSpinBox::valueChanged, &filter_, &Filter::setTypedMaximum);
    connect(units_, &QComboBox::currentIndexChanged, &filter_,
            [this] { filter_.setBoundUnit(static_cast<LengthUnit>(units_->currentData().toInt())); });
    follow(this, &CriterionControls::showUnits, filter_, &Filter::unitChanged, &Filter::problemChanged);
    connect(chart_, &AttributeHistogramView::readoutChanged, this, &CriterionControls::showReadout);

    follow(this, &CriterionControls::showAttribute, filter_, &Filter::attributeChanged);
    connect(&filter_, &Filter::domainChanged, this, &CriterionControls::showDomain);
    connect(&filter_, &Filter::rangeChanged, this, &CriterionControls::showRange);
    connect(&document_, &vm::DocumentViewModel::hasImageChanged, this, &CriterionControls::showAvailability);
    follow(this, &CriterionControls::showAvailability, filter_, &Filter::enabledChanged, &Filter::domainChanged,
           &Filter::attributeChanged);
}

void CriterionControls::showAttribute() {
    attribute_->setAttributeId(filter_.attribute());
    showDomain();
}

void CriterionControls::showDomain() {
    const vm::ValueDomain domain = filter_.typedDomain();
    const QString unit = filter_.unit().isEmpty() ? QString() : QStringLiteral(" ") + filter_.unit();
    const bool isTyped = filter_.boundUnit() != LengthUnit::pixel || filter_.areBoundsInValues();
    for (QDoubleSpinBox* box : {minimum_, maximum_}) {
        const QSignalBlocker quiet(box);
        box->setProperty(BoundBox::kTyped, isTyped);
        box->setDecimals(domain.integral ? 0 : domain.decimals);
        box->setRange(domain.minimum, domain.maximum);
        box->setSuffix(boxSuffix(domain, filter_.unit()));
    }
    const auto end = [&](double value) {
        if (!filter_.isAvailable()) {
            return QString();
        }
        return filter_.areBoundsInValues()                ? vm::greyNumber(value)
               : filter_.boundUnit() == LengthUnit::pixel ? valueText(domain, value)
                                                          : vm::shortValue(value);
    };
    domainStart_->setText(end(domain.minimum));
    domainEnd_->setText(filter_.isAvailable() ? end(domain.maximum) + unit : QString());
    showRange();
}

void CriterionControls::showRange() {
    const QSignalBlocker quietMinimum(minimum_);
    const QSignalBlocker quietMaximum(maximum_);
    minimum_->setValue(filter_.typedMinimum());
    maximum_->setValue(filter_.typedMaximum());
    range_->setPositions(filter_.minimumPosition(), filter_.isAvailable() ? filter_.maximumPosition() : 1.0);
    const QString title = vm::attributeTitle(filter_.attribute());
    range_->describe(tr("Smallest %1 that is kept").arg(title), minimum_->text(),
                     tr("Largest %1 that is kept").arg(title), maximum_->text());
}

void CriterionControls::showUnits() {
    const QSignalBlocker quiet(units_);
    const std::vector<LengthUnit> units = filter_.boundUnits();
    units_->clear();
    for (const LengthUnit unit : units) {
        units_->addItem(filter_.unitName(unit), static_cast<int>(unit));
    }
    units_->setCurrentIndex(units_->findData(static_cast<int>(filter_.boundUnit())));
    unitBox_->setVisible(units.size() > 1);
    const QString problem = filter_.problem();
    problem_->setText(problem);
    problem_->setVisible(!problem.isEmpty());
    even_->setVisible(filter_.lacksDistances());
}

void CriterionControls::showReadout(const QString& text) {
    if (!document_.hasImage()) {
        readout_->setFullText({});
    } else if (!filter_.isAvailable() || histogram_.isCounting()) {
        readout_->setFullText(tr("measuring…"));
    } else if (filter_.domain().isSinglePoint()) {
        readout_->setFullText(tr("the same for all components"));
    } else {
        readout_->setFullText(text.isEmpty() ? histogram_.text() : text);
    }
}

void CriterionControls::showAvailability() {
    const bool usable = document_.hasImage() && filter_.isAvailable() && filter_.isEnabled();
    const bool movable = usable && !filter_.domain().isSinglePoint();
    for (QWidget* part : {static_cast<QWidget*>(range_), static_cast<QWidget*>(chart_), static_cast<QWidget*>(minimum_),
                          static_cast<QWidget*>(maximum_)}) {
        part->setEnabled(movable);
    }
    units_->setEnabled(usable);
    reset_->setEnabled(usable);
    attribute_->setEnabled(filter_.isEnabled());
    showReadout({});
}

} // namespace pollard::app
