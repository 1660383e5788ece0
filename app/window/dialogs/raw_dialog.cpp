#include "window/dialogs/raw_dialog.hpp"

#include "theme/theme.hpp"
#include "widgets/couple.hpp"
#include "widgets/number_box.hpp"
#include "widgets/panel_parts.hpp"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QImage>
#include <QLabel>
#include <QPixmap>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <initializer_list>

namespace pollard::app {
namespace {

constexpr int kMostSide = 1'000'000;
constexpr double kMostOffset = 1e15; ///< exact as a double
constexpr int kMostSamples = 4096;
constexpr int kMostPages = 1'000'000;

/// In the order of RawLayout::SampleType.
constexpr std::array kTypes = {"8 bit, unsigned",  "8 bit, signed",  "16 bit, unsigned", "16 bit, signed",
                               "32 bit, unsigned", "32 bit, signed", "32 bit, float",    "64 bit, float"};

QSpinBox* makeNumber(const char* objectName, int most, QWidget* parent) {
    auto* box = new WholeBox(parent);
    box->setObjectName(QLatin1String(objectName));
    box->setRange(1, most);
    box->setGroupSeparatorShown(true);
    return box;
}

QImage stretched(const Image& image, const vm::LevelWindow& window) {
    QImage drawn(static_cast<int>(image.width()), static_cast<int>(image.height()), QImage::Format_Grayscale8);
    const double range = std::max(window.high - window.low, 1.0);
    for (std::uint32_t y = 0; y < image.height(); ++y) {
        uchar* line = drawn.scanLine(static_cast<int>(y));
        for (std::uint32_t x = 0; x < image.width(); ++x) {
            const double level = image.level(std::size_t{y} * image.width() + x);
            line[x] = static_cast<uchar>(std::clamp((level - window.low) / range, 0.0, 1.0) * 255);
        }
    }
    return drawn;
}

} // namespace

RawDialog::RawDialog(vm::RawViewModel& raw, QWidget* parent) : QDialog(parent), raw_(raw) {
    setObjectName(QStringLiteral("rawDialog"));
    setWindowTitle(tr("Open as raw data"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * kPanelMargin, 2 * kPanelMargin, 2 * kPanelMargin, kPanelMargin);
    layout->setSpacing(kPanelMargin);
    layout->addWidget(
        new SectionLabel(tr("How are the pixels of %1 stored?").arg(QFileInfo(raw_.path()).fileName()), this));
    auto* columns = new QHBoxLayout;
    columns->setSpacing(2 * kPanelMargin);
    columns->addWidget(makeControls());
    preview_ = new QLabel(this);
    preview_->setObjectName(QStringLiteral("rawPreview"));
    preview_->setFixedSize(static_cast<int>(vm::RawViewModel::kPreviewSide),
                           static_cast<int>(vm::RawViewModel::kPreviewSide));
    preview_->setAlignment(Qt::AlignCenter);
    preview_->setWordWrap(true);
    preview_->setFrameShape(QFrame::StyledPanel);
    explain(preview_, tr("Preview"), tr("The first page, made small, between the 0.1 % and 99.9 % percentiles"));
    columns->addWidget(preview_, 0, Qt::AlignTop);
    layout->addLayout(columns);
    check_ = new QLabel(this);
    check_->setObjectName(QStringLiteral("rawCheck"));
    check_->setAccessibleName(tr("Size check"));
    layout->addWidget(check_);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Open | QDialogButtonBox::Cancel, this);
    open_ = buttons->button(QDialogButtonBox::Open);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    layout->addWidget(buttons);
    layout->setSizeConstraint(QLayout::SetFixedSize);
    follow(this, &RawDialog::showLayout, raw_, &vm::RawViewModel::layoutChanged);
    onPixelRatio(this, [this] { showPreview(); });
    follow(this, &RawDialog::showPreview, raw_, &vm::RawViewModel::previewChanged);
}

QWidget* RawDialog::makeControls() {
    auto* controls = new QWidget(this);
    auto* form = new QFormLayout(controls);
    form->setContentsMargins(0, 0, 0, 0);
    guess_ = new QComboBox(controls);
    guess_->setObjectName(QStringLiteral("rawGuess"));
    guess_->addItem(tr("Own choice"), -1);
    const QStringList guesses = raw_.guessTexts();
    for (int i = 0; i < guesses.size(); ++i) {
        guess_->addItem(guesses[i], i);
    }
    guess_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    guess_->setMinimumContentsLength(30);
    explain(guess_, tr("Proposal"), tr("Layouts that fill the file exactly, the most likely first"));
    width_ = makeNumber("rawWidth", kMostSide, controls);
    explain(width_, tr("Width"), tr("Pixels of a row"));
    height_ = makeNumber("rawHeight", kMostSide, controls);
    explain(height_, tr("Height"), tr("Rows of a page"));
    type_ = new QComboBox(controls);
    type_->setObjectName(QStringLiteral("rawType"));
    for (const char* name : kTypes) {
        type_->addItem(tr(name));
    }
    explain(type_, tr("Sample type"), tr("How a sample is stored"));
    order_ = new QComboBox(controls);
    order_->setObjectName(QStringLiteral("rawOrder"));
    order_->addItems({tr("Little-endian (PC)"), tr("Big-endian")});
    explain(order_, tr("Byte order"), tr("Which byte of a sample comes first"));
    samples_ = makeNumber("rawSamples", kMostSamples, controls);
    explain(samples_, tr("Samples per pixel"), tr("3 for interleaved colours"));
    offset_ = new NumberBox(controls);
    offset_->setObjectName(QStringLiteral("rawOffset"));
    offset_->setRange(0, kMostOffset);
    offset_->setDecimals(0);
    explain(offset_, tr("Offset"), tr("Bytes before the first page"));
    pages_ = makeNumber("rawPages", kMostPages, controls);
    explain(pages_, tr("Pages"), tr("One after the other without gaps"));
    form->addRow(tr("Proposal"), guess_);
    form->addRow(tr("Width"), width_);
    form->addRow(tr("Height"), height_);
    form->addRow(tr("Sample type"), type_);
    form->addRow(tr("Byte order"), order_);
    form->addRow(tr("Samples per pixel"), samples_);
    form->addRow(tr("Offset in bytes"), offset_);
    form->addRow(tr("Pages"), pages_);
    connect(guess_, &QComboBox::activated, this, [this] { raw_.setGuess(guess_->currentData().toInt()); });
    for (QSpinBox* box : {width_, height_, samples_, pages_}) {
        connect(box, &QSpinBox::valueChanged, this, &RawDialog::takeControls);
    }
    for (QComboBox* box : {type_, order_}) {
        connect(box, &QComboBox::activated, this, &RawDialog::takeControls);
    }
    connect(offset_, &QDoubleSpinBox::valueChanged, this, &RawDialog::takeControls);
    return controls;
}

void RawDialog::takeControls() {
    RawLayout layout;
    layout.width = static_cast<std::uint32_t>(width_->value());
    layout.height = static_cast<std::uint32_t>(height_->value());
    layout.type = static_cast<RawLayout::SampleType>(type_->currentIndex());
    layout.bigEndian = order_->currentIndex() == 1;
    layout.samples = samples_->value();
    layout.offset = static_cast<std::uint64_t>(offset_->value());
    layout.pages = pages_->value();
    raw_.setLayout(layout);
}

void RawDialog::showLayout() {
    const RawLayout& layout = raw_.layout();
    for (QWidget* widget : std::initializer_list<QWidget*>{width_, height_, samples_, offset_, pages_}) {
        widget->blockSignals(true);
    }
    coupling::showValue(*width_, static_cast<int>(layout.width));
    coupling::showValue(*height_, static_cast<int>(layout.height));
    coupling::showValue(*samples_, layout.samples);
    coupling::showValue(*offset_, static_cast<double>(layout.offset));
    coupling::showValue(*pages_, layout.pages);
    for (QWidget* widget : std::initializer_list<QWidget*>{width_, height_, samples_, offset_, pages_}) {
        widget->blockSignals(false);
    }
    type_->setCurrentIndex(static_cast<int>(layout.type));
    order_->setCurrentIndex(layout.bigEndian ? 1 : 0);
    order_->setEnabled(layout.type != RawLayout::SampleType::u8 && layout.type != RawLayout::SampleType::i8);
    guess_->setCurrentIndex(guess_->findData(raw_.guess()));
    check_->setText(raw_.checkText());
    QPalette palette = check_->palette();
    palette.setColor(QPalette::WindowText,
                     raw_.isPossible() ? secondaryText(this->palette()) : QColor(0xd0, 0x4a, 0x4a));
    check_->setPalette(palette);
    open_->setEnabled(raw_.isPossible());
}

void RawDialog::showPreview() {
    const auto image = raw_.preview();
    if (!image) {
        preview_->setPixmap(QPixmap());
        preview_->setText(raw_.previewProblem());
        return;
    }
    const double ratio = devicePixelRatioF();
    QPixmap pixmap = QPixmap::fromImage(stretched(*image, raw_.previewWindow()));
    const QSize room = (preview_->contentsRect().size().toSizeF() * ratio).toSize();
    pixmap = pixmap.scaled(room, Qt::KeepAspectRatio, Qt::SmoothTransformation);
    pixmap.setDevicePixelRatio(ratio);
    preview_->setPixmap(pixmap);
}

void RawDialog::accept() {
    raw_.remember();
    QDialog::accept();
}

} // namespace pollard::app
