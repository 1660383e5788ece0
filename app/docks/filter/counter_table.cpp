#include "docks/filter/counter_table.hpp"

#include "vm/document/document_view_model.hpp"
#include "vm/filter/filter_view_model.hpp"
#include "widgets/couple.hpp"

#include <QGridLayout>
#include <QLocale>

namespace pollard::app {
namespace {

QString shareText(quint64 part, quint64 whole) {
    if (whole == 0) {
        return {};
    }
    const double percent = 100.0 * static_cast<double>(part) / static_cast<double>(whole);
    // 0 % and 100 % only for none and all.
    if (part != 0 && percent < 0.1) {
        return QStringLiteral("< %1 %").arg(QLocale().toString(0.1, 'f', 1));
    }
    if (part != whole && percent > 99.9) {
        return QStringLiteral("> %1 %").arg(QLocale().toString(99.9, 'f', 1));
    }
    return QStringLiteral("%1 %").arg(QLocale().toString(percent, 'f', 1));
}

FixedSizeLabel<QLabel>* makeNumber(QWidget* parent) {
    auto* label = new FixedSizeLabel<QLabel>(parent);
    label->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

} // namespace

QString durationText(double milliseconds) {
    const QLocale locale;
    if (milliseconds >= 1000) {
        return QStringLiteral("%1 s").arg(locale.toString(milliseconds / 1000, 'f', 1));
    }
    return QStringLiteral("%1 ms").arg(locale.toString(milliseconds, 'f', milliseconds < 10 ? 2 : 0));
}

CounterTable::CounterTable(vm::FilterViewModel& filter, vm::DocumentViewModel& document, QWidget* parent)
    : QWidget(parent), filter_(filter), document_(document) {
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(10);
    grid->setVerticalSpacing(5);
    grid->setColumnStretch(1, 1);
    int row = 0;
    const auto add = [&](const QString& caption, const QString& toolTip, FixedSizeLabel<QLabel>*& number,
                         FixedSizeLabel<CaptionLabel>** share) {
        auto* name = new FixedSizeLabel<CaptionLabel>(caption, this);
        name->setToolTip(toolTip);
        grid->addWidget(name, row, 0);
        number = makeNumber(this);
        number->setToolTip(toolTip);
        number->setAccessibleName(caption);
        grid->addWidget(number, row, 1, Qt::AlignRight | Qt::AlignVCenter);
        if (share != nullptr) {
            *share = new FixedSizeLabel<CaptionLabel>(QString(), this);
            (*share)->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
            (*share)->setMinimumWidth((*share)->fontMetrics().horizontalAdvance(QStringLiteral("> 99.9 %")));
            grid->addWidget(*share, row, 2, Qt::AlignRight | Qt::AlignVCenter);
        }
        ++row;
        return name;
    };
    keptName_ =
        add(tr("Nodes kept"),
            tr("Components of the tree that the filter keeps; the root is always kept, even if it does not meet "
               "the criteria"),
            kept_, &keptShare_);
    add(tr("Nodes removed"), tr("Components of the tree that the filter removes"), removed_, &removedShare_);
    changedName_ =
        add(tr("Pixels changed"), tr("Pixels whose filtered value differs from the image"), changed_, &changedShare_);
    add(tr("Time"), tr("Time of the last filtering on the compute thread"), time_, nullptr);
    keptName_->setObjectName(QStringLiteral("keptName"));
    kept_->setObjectName(QStringLiteral("keptNodes"));
    changed_->setObjectName(QStringLiteral("changedPixels"));
    connect(&document_, &vm::DocumentViewModel::frameReady, this, &CounterTable::refresh);
    connect(&document_, &vm::DocumentViewModel::attributeReady, this, &CounterTable::refresh);
    follow(this, &CounterTable::refresh, filter_, &vm::FilterViewModel::countersChanged);
    dimDelay_.setSingleShot(true);
    dimDelay_.setInterval(kDimDelay);
    connect(&dimDelay_, &QTimer::timeout, this, [this] { dim(true); });
    follow(this, &CounterTable::dimIfStale, filter_, &vm::FilterViewModel::countersCurrentChanged);
}

void CounterTable::dimIfStale() {
    if (filter_.areCountersCurrent() || !document_.hasResult()) {
        dimDelay_.stop();
        dim(false);
    } else {
        dimDelay_.start();
    }
}

void CounterTable::dim(bool dimmed) {
    for (QWidget* number :
         std::initializer_list<QWidget*>{kept_, keptShare_, removed_, removedShare_, changed_, changedShare_, time_}) {
        number->setEnabled(!dimmed);
    }
}

void CounterTable::refresh() {
    const QLocale locale;
    const bool known = document_.hasResult();
    const QString none = QStringLiteral("–");
    const quint64 nodes = filter_.keptNodes() + filter_.removedNodes();
    const quint64 pixels = known ? document_.shown().analysed()->pixelCount() : 0;
    changedName_->showText(document_.isVolume() ? tr("Voxels changed") : tr("Pixels changed"));
    keptName_->showText(known && filter_.isRootKeptAnyway() ? tr("Nodes kept, with the root") : tr("Nodes kept"));
    kept_->showText(known ? locale.toString(filter_.keptNodes()) : none);
    removed_->showText(known ? locale.toString(filter_.removedNodes()) : none);
    changed_->showText(known ? locale.toString(filter_.changedPixels()) : none);
    time_->showText(known ? durationText(filter_.milliseconds()) : none);
    keptShare_->showText(known ? shareText(filter_.keptNodes(), nodes) : QString());
    removedShare_->showText(known ? shareText(filter_.removedNodes(), nodes) : QString());
    changedShare_->showText(known ? shareText(filter_.changedPixels(), pixels) : QString());
}

} // namespace pollard::app
