#include "window/dialogs/memory_dialog.hpp"

#include "theme/icons.hpp"
#include "widgets/number_box.hpp"
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

// Identifiers of the choices other than indices into MemoryPlan::smaller.
constexpr int kAll = -2; // -1 means "none" in QButtonGroup
constexpr int kCpu = -3;
constexpr int kCrop = -4;
constexpr int kPages = -5;

QString bytesText(std::uint64_t bytes) {
    return QLocale().formattedDataSize(static_cast<qint64>(bytes), 1, QLocale::DataSizeIecFormat);
}

QString needText(const vm::MemoryNeed& need) {
    const QString size = need.slices > 1
                             ? MemoryDialog::tr("%1 × %2 × %3 voxels").arg(need.width).arg(need.height).arg(need.slices)
                             : MemoryDialog::tr("%1 × %2 px").arg(need.width).arg(need.height);
    QString text = MemoryDialog::tr("%1, up to %2").arg(size, bytesText(need.host));
    if (need.device > 0) {
        text += MemoryDialog::tr(", %1 on the GPU").arg(bytesText(need.device));
    }
    return text;
}

QSpinBox* makeNumber(const QString& name, const QString& prefix, int least, int most, QWidget* parent) {
    auto* box = new WholeBox(parent);
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
    setWindowTitle(tr("Large image"));
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

    const vm::MemoryNeed smallest = smallestNeed();
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    if (plan_.roomFor(smallest) == vm::MemoryRoom::tooLittle) {
        auto* why = new QLabel(tr("Even the smallest part does not fit: it %1. Close other programs or images, or "
                                  "use a computer with more memory.")
                                   .arg(reasonAgainst(smallest)),
                               this);
        why->setObjectName(QStringLiteral("memoryProblem"));
        why->setWordWrap(true);
        layout->addWidget(why);
    } else {
        open_ = buttons->addButton(tr("Open"), QDialogButtonBox::AcceptRole);
        open_->setDefault(true);
        addChoice(tr("Open the whole image: %1").arg(needText(plan_.need)), kAll, plan_.need);
        if (plan_.overDevice && plan_.cpuNeed) {
            addChoice(tr("Open the whole image with the CPU engine"), kCpu, *plan_.cpuNeed);
        }
        if (plan_.need.slices > 1) {
            vm::OpenRequest page = request_;
            page.slices = vm::Slices::pages;
            const vm::MemoryNeed need = plan_.needOfPart(page);
            addChoice(tr("Open the slices as pages, one at a time: %1").arg(needText(need)), kPages, need);
        }
        addSmaller();
        addCrop();
        choose();
    }
    layout->addSpacing(kPanelSpacing);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    layout->addWidget(buttons);
}

vm::MemoryNeed MemoryDialog::smallestNeed() const {
    vm::OpenRequest request = request_;
    const PixelRegion whole = request.region.value_or(PixelRegion{0, 0, plan_.page.width, plan_.page.height});
    request.region = PixelRegion{whole.x, whole.y, 1, 1};
    vm::MemoryNeed smallest = plan_.needOfPart(request);
    for (const vm::MemoryPlan::Reduction& other :
         plan_.smaller) { // a resolution level may need less memory than any part at full size
        if (plan_.roomFor(other.need) < plan_.roomFor(smallest) || other.need.least < smallest.least) {
            smallest = other.need;
        }
    }
    return smallest;
}

QString MemoryDialog::reasonAgainst(const vm::MemoryNeed& need) const {
    if (plan_.there.host != 0 && need.least > plan_.there.host) {
        return tr("needs at least %1 of %2 free").arg(bytesText(need.least), bytesText(plan_.there.host));
    }
    return tr("needs %1 of %2 on the GPU").arg(bytesText(need.device), bytesText(plan_.there.device));
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
    if (plan_.fileBytes > 0) { // unknown for a folder
        add(tr("File"), bytesText(plan_.fileBytes), {});
    }
    add(tr("Decoded"), bytesText(plan_.need.decoded), tr("all samples of the page"));
    add(tr("Images"), bytesText(plan_.need.image), tr("original and filtered"));
    add(tr("Tree, at most"), bytesText(plan_.need.tree), tr("less than half for most photographs"));
    add(tr("Together"), bytesText(plan_.need.host), tr("of %1 free").arg(bytesText(plan_.there.host)));
    if (plan_.need.device > 0) {
        add(tr("On the GPU"), bytesText(plan_.need.device), tr("of %1").arg(bytesText(plan_.there.device)));
    }
}

QRadioButton* MemoryDialog::addChoice(const QString& text, int id, const vm::MemoryNeed& need) {
    const vm::MemoryRoom room = plan_.roomFor(need);
    QString label = text;
    if (room == vm::MemoryRoom::tooLittle) {
        label = tr("%1: %2").arg(text, reasonAgainst(need));
    } else if (room == vm::MemoryRoom::unsure) {
        label = tr("%1 (may not fit)").arg(text);
    }
    auto* button = new QRadioButton(label, this);
    button->setAccessibleName(label);
    button->setToolTip(label);
    button->setEnabled(room != vm::MemoryRoom::tooLittle);
    choices_->addButton(button, id);
    layout()->addWidget(button);
    const std::uint64_t pixels = std::uint64_t{need.width} * need.height * need.slices;
    const bool isPart = id == kCrop; // the last choice
    if (room != vm::MemoryRoom::tooLittle &&
        (room < bestRoom_ || (room == bestRoom_ && !isPart && pixels > bestPixels_))) {
        best_ = button;
        bestRoom_ = room;
        bestPixels_ = pixels;
    }
    return button;
}

void MemoryDialog::addSmaller() {
    for (std::size_t i = 0; i < plan_.smaller.size(); ++i) {
        const vm::MemoryPlan::Reduction& smaller = plan_.smaller[i];
        const QString what = smaller.level != request_.level
                                 ? tr("Open resolution level %1 of the file").arg(smaller.level)
                                 : tr("Shrink by %1").arg(smaller.shrink);
        const QString text = QStringLiteral("%1: %2").arg(what, needText(smaller.need));
        const bool isMuch = !smaller.fits && plan_.roomFor(smaller.need) == vm::MemoryRoom::enough;
        addChoice(isMuch ? tr("%1 (still much)").arg(text) : text, static_cast<int>(i), smaller.need);
    }
}

void MemoryDialog::addCrop() {
    const PixelRegion whole = request_.region.value_or(PixelRegion{0, 0, plan_.page.width, plan_.page.height});
    // Initially half of each side around the middle, or as much as fits.
    const PixelRegion first =
        plan_.middlePart(request_).value_or(PixelRegion{whole.x + whole.width / 2, whole.y + whole.height / 2, 1, 1});
    vm::OpenRequest part = request_;
    part.region = first;
    crop_ = addChoice(tr("Open a part"), kCrop, plan_.needOfPart(part));
    auto* row = new QHBoxLayout;
    row->setContentsMargins(24, 0, 0, 0);
    x_ = makeNumber(tr("Left edge, px"), tr("x "), asInt(whole.x), asInt(whole.x + whole.width - 1), this);
    y_ = makeNumber(tr("Upper edge, px"), tr("y "), asInt(whole.y), asInt(whole.y + whole.height - 1), this);
    width_ = makeNumber(tr("Width, px"), tr("width "), 1, asInt(whole.width), this);
    height_ = makeNumber(tr("Height, px"), tr("height "), 1, asInt(whole.height), this);
    x_->setValue(asInt(first.x));
    y_->setValue(asInt(first.y));
    width_->setValue(asInt(first.width));
    height_->setValue(asInt(first.height));
    for (QSpinBox* box : {x_, y_, width_, height_}) {
        row->addWidget(box);
        box->setEnabled(false);
        connect(crop_, &QRadioButton::toggled, box, &QWidget::setEnabled);
        connect(box, &QSpinBox::valueChanged, this, &MemoryDialog::showPart);
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

void MemoryDialog::choose() {
    best_->setChecked(true);
    connect(choices_, &QButtonGroup::idToggled, this, &MemoryDialog::showPart);
    showPart();
}

/// Shows the memory of the part; a part that cannot fit cannot be opened.
void MemoryDialog::showPart() {
    if (!crop_->isEnabled()) {
        return;
    }
    vm::OpenRequest part = request_;
    part.region = presentPart();
    const vm::MemoryNeed need = plan_.needOfPart(part);
    const bool fits = plan_.roomFor(need) != vm::MemoryRoom::tooLittle;
    const QString text = tr("Open a part: %1").arg(fits ? needText(need) : reasonAgainst(need));
    crop_->setText(text);
    crop_->setAccessibleName(text);
    crop_->setToolTip(text);
    open_->setEnabled(fits || !crop_->isChecked());
}

PixelRegion MemoryDialog::presentPart() const {
    return {static_cast<std::uint32_t>(x_->value()), static_cast<std::uint32_t>(y_->value()),
            static_cast<std::uint32_t>(width_->value()), static_cast<std::uint32_t>(height_->value())};
}

bool MemoryDialog::wantsCpu() const { return choices_->checkedId() == kCpu; }

vm::OpenRequest MemoryDialog::choice() const {
    vm::OpenRequest chosen = request_;
    const int id = choices_->checkedId();
    if (id == kCrop) {
        chosen.region = presentPart();
    } else if (id == kPages) {
        chosen.slices = vm::Slices::pages;
    } else if (id >= 0) {
        const vm::MemoryPlan::Reduction& smaller = plan_.smaller[static_cast<std::size_t>(id)];
        if (smaller.level != chosen.level) {
            chosen.region.reset();
        }
        chosen.level = smaller.level;
        chosen.shrink = smaller.shrink;
    }
    return chosen;
}

} // namespace pollard::app
