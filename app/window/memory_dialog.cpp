#include "window/memory_dialog.hpp"

#include "theme/icons.hpp"
#include "widgets/panel_parts.hpp"

#include <QButtonGroup>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QRadioButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>
#include <limits>

namespace pollard::app {
namespace {

// Choices that are not one of MemoryPlan::smaller, whose numbers count from 0.
constexpr int kAll = -2; // -1 is "none" to QButtonGroup
constexpr int kCpu = -3;
constexpr int kCrop = -4;

QString bytesText(std::uint64_t bytes) {
    return QLocale().formattedDataSize(static_cast<qint64>(bytes), 1, QLocale::DataSizeIecFormat);
}

QString needText(const vm::MemoryNeed& need) {
    QString text = MemoryDialog::tr("%1 × %2 px, up to %3").arg(need.width).arg(need.height).arg(bytesText(need.host));
    if (need.device > 0) {
        text += MemoryDialog::tr(", %1 on the GPU").arg(bytesText(need.device));
    }
    return text;
}

QSpinBox* makeNumber(const QString& name, const QString& prefix, int least, int most, QWidget* parent) {
    auto* box = new QSpinBox(parent);
    box->setRange(least, most);
    box->setPrefix(prefix);
    explain(box, name, name);
    return box;
}

int asInt(std::uint32_t value) {
    return static_cast<int>(std::min<std::uint32_t>(value, std::numeric_limits<int>::max()));
}

} // namespace

MemoryDialog::MemoryDialog(const vm::MemoryPlan& plan, const vm::OpenRequest& request, QWidget* parent)
    : QDialog(parent), plan_(plan), request_(request), choices_(new QButtonGroup(this)) {
    setWindowTitle(tr("Large picture"));
    setObjectName(QStringLiteral("memoryDialog"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * kPanelMargin, 2 * kPanelMargin, 2 * kPanelMargin, kPanelMargin);
    layout->setSpacing(kPanelSpacing);
    auto* heading = new SectionLabel(
        tr("%1 may need more than half of the memory that is free").arg(QFileInfo(request.path).fileName()), this);
    heading->setWordWrap(true);
    layout->addWidget(heading);
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(2 * kPanelMargin);
    grid->setVerticalSpacing(3);
    grid->setColumnStretch(2, 1);
    addNumbers(*grid);
    layout->addLayout(grid);
    layout->addWidget(new Divider(this));

    addChoice(tr("Open all of it: %1").arg(needText(plan_.need)), kAll);
    if (plan_.cpuFits) {
        addChoice(tr("Open all of it with the CPU engine"), kCpu);
    }
    addSmaller();
    addCrop();
    layout->addSpacing(kPanelSpacing);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    buttons->button(QDialogButtonBox::Ok)->setText(tr("Open"));
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    layout->addWidget(buttons);
}

void MemoryDialog::addNumbers(QGridLayout& grid) const {
    const auto add = [&grid](const QString& name, const QString& value, const QString& note) {
        const int row = grid.rowCount();
        auto* number = new QLabel(value);
        number->setAlignment(Qt::AlignRight);
        number->setTextInteractionFlags(Qt::TextSelectableByMouse);
        number->setAccessibleName(name);
        grid.addWidget(new CaptionLabel(name), row, 0);
        grid.addWidget(number, row, 1);
        grid.addWidget(new CaptionLabel(note), row, 2);
    };
    add(tr("File"), bytesText(plan_.fileBytes), {});
    add(tr("Decoded"), bytesText(plan_.need.decoded), tr("all samples of the page"));
    add(tr("Pictures"), bytesText(plan_.need.picture), tr("original and filtered"));
    add(tr("Tree, at most"), bytesText(plan_.need.tree), tr("less than half of it for most photographs"));
    add(tr("Together"), bytesText(plan_.need.host), tr("of %1 free").arg(bytesText(plan_.there.host)));
    if (plan_.need.device > 0) {
        add(tr("On the GPU"), bytesText(plan_.need.device), tr("of %1").arg(bytesText(plan_.there.device)));
    }
}

QRadioButton* MemoryDialog::addChoice(const QString& text, int id) {
    auto* button = new QRadioButton(text, this);
    button->setAccessibleName(text);
    button->setToolTip(text);
    choices_->addButton(button, id);
    layout()->addWidget(button);
    if (choices_->checkedButton() == nullptr) {
        button->setChecked(true);
    }
    return button;
}

void MemoryDialog::addSmaller() {
    for (std::size_t i = 0; i < plan_.smaller.size(); ++i) {
        const vm::MemoryPlan::Smaller& smaller = plan_.smaller[i];
        const QString what = smaller.level != request_.level
                                 ? tr("Open resolution level %1 of the file").arg(smaller.level)
                                 : tr("Shrink by %1").arg(smaller.shrink);
        const QString text = QStringLiteral("%1: %2").arg(what, needText(smaller.need));
        addChoice(smaller.fits ? text : tr("%1 (still much)").arg(text), static_cast<int>(i));
    }
}

void MemoryDialog::addCrop() {
    const PixelRegion whole =
        request_.region.value_or(PixelRegion{0, 0, plan_.need.width * static_cast<std::uint32_t>(request_.shrink),
                                             plan_.need.height * static_cast<std::uint32_t>(request_.shrink)});
    QRadioButton* crop = addChoice(tr("Open a part"), kCrop);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(24, 0, 0, 0);
    x_ = makeNumber(tr("Left edge, px"), tr("x "), asInt(whole.x), asInt(whole.x + whole.width - 1), this);
    y_ = makeNumber(tr("Upper edge, px"), tr("y "), asInt(whole.y), asInt(whole.y + whole.height - 1), this);
    width_ = makeNumber(tr("Width, px"), tr("width "), 1, asInt(whole.width), this);
    height_ = makeNumber(tr("Height, px"), tr("height "), 1, asInt(whole.height), this);
    // The middle, at half of each side, is a first proposal.
    x_->setValue(asInt(whole.x + whole.width / 4));
    y_->setValue(asInt(whole.y + whole.height / 4));
    width_->setValue(asInt(std::max(1U, whole.width / 2)));
    height_->setValue(asInt(std::max(1U, whole.height / 2)));
    for (QSpinBox* box : {x_, y_, width_, height_}) {
        row->addWidget(box);
        box->setEnabled(false);
        connect(crop, &QRadioButton::toggled, box, &QWidget::setEnabled);
    }
    const auto keepInside = [this, whole] {
        width_->setMaximum(asInt(whole.x + whole.width) - x_->value());
        height_->setMaximum(asInt(whole.y + whole.height) - y_->value());
    };
    connect(x_, &QSpinBox::valueChanged, this, keepInside);
    connect(y_, &QSpinBox::valueChanged, this, keepInside);
    keepInside();
    static_cast<QVBoxLayout*>(layout())->addLayout(row);
}

bool MemoryDialog::wantsCpu() const { return choices_->checkedId() == kCpu; }

vm::OpenRequest MemoryDialog::choice() const {
    vm::OpenRequest chosen = request_;
    const int id = choices_->checkedId();
    if (id == kCrop) {
        chosen.region =
            PixelRegion{static_cast<std::uint32_t>(x_->value()), static_cast<std::uint32_t>(y_->value()),
                        static_cast<std::uint32_t>(width_->value()), static_cast<std::uint32_t>(height_->value())};
    } else if (id >= 0) {
        const vm::MemoryPlan::Smaller& smaller = plan_.smaller[static_cast<std::size_t>(id)];
        if (smaller.level != chosen.level) {
            chosen.region.reset();
        }
        chosen.level = smaller.level;
        chosen.shrink = smaller.shrink;
    }
    return chosen;
}

} // namespace pollard::app
