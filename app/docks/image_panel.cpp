#include "docks/image_panel.hpp"

#include "channels/derivation.hpp"
#include "channels/stains.hpp"
#include "docks/filter/counter_table.hpp"
#include "docks/pixel_size_controls.hpp"
#include "docks/value_range_controls.hpp"
#include "io/metadata/scene_description.hpp"
#include "shell/models.hpp"
#include "vm/base/value_text.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/filter/channel_filters.hpp"
#include "vm/image/level_histogram.hpp"
#include "widgets/couple.hpp"
#include "widgets/form.hpp"
#include "widgets/panel_parts.hpp"

#include <QDir>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QInputDialog>
#include <QLocale>
#include <QPixmap>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace pollard::app {
namespace {

using Stains = vm::StainPicks;

constexpr int kSwatch = 14; ///< side, logical px

QString vectorText(const std::optional<StainVector>& vector) {
    if (!vector) {
        return QStringLiteral("–");
    }
    const QLocale locale;
    const auto& [red, green, blue] = *vector;
    return QStringLiteral("%1  %2  %3")
        .arg(locale.toString(red, 'f', 3), locale.toString(green, 'f', 3), locale.toString(blue, 'f', 3));
}

} // namespace

StainControls::StainControls(Stains& stains, QWidget* parent) : QWidget(parent), stains_(stains) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kPanelSpacing / 2);
    layout->addWidget(new SectionLabel(tr("Stains of the image"), this));
    auto* hint = new CaptionLabel(tr("Drag a small rectangle over a place where only the chosen stain is, or click on "
                                     "it. The background is white unless you pick it. Esc: end"),
                                  this);
    hint->setWordWrap(true);
    layout->addWidget(hint);
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(6);
    grid->setVerticalSpacing(4);
    grid->setColumnStretch(2, 1);
    for (const Part part : Stains::kParts) {
        const int line = static_cast<int>(part);
        Row& row = rows_[static_cast<std::size_t>(part)];
        row = makeRow(part);
        grid->addWidget(row.choice, line, 0);
        grid->addWidget(row.colour, line, 1);
        if (row.name != nullptr) {
            grid->addWidget(row.name, line, 2);
        }
        grid->addWidget(row.vector, line, 3, Qt::AlignRight);
    }
    layout->addLayout(grid);
    problem_ = new CaptionLabel({}, this);
    problem_->setObjectName(QStringLiteral("stainProblem"));
    problem_->setWordWrap(true);
    layout->addWidget(problem_);
    auto* buttons = new QHBoxLayout;
    separate_ = new QPushButton(tr("Separate stains"), this);
    explain(
        separate_, tr("Separate stains"),
        tr("Show the amount of the first stain by colour deconvolution; the other stain is in the list of channels"));
    auto* close = new QPushButton(tr("End"), this);
    explain(close, tr("End picking stains"), tr("The channel stays as it is"));
    buttons->addWidget(separate_);
    buttons->addWidget(close);
    buttons->addStretch(1);
    layout->addLayout(buttons);
    connect(separate_, &QPushButton::clicked, &stains_, &Stains::separate);
    connect(close, &QPushButton::clicked, &stains_, [this] { stains_.setPicking(false); });
    follow(this, &StainControls::showStains, stains_, &Stains::changed);
}

StainControls::Row StainControls::makeRow(Part part) {
    Row row;
    const int number = static_cast<int>(part) + 1;
    const bool isBackground = part == Part::background;
    const QString title = isBackground ? tr("Background") : tr("Stain %1").arg(number);
    row.choice = new QRadioButton(title, this);
    explain(row.choice, title, tr("The next place on the image is taken for this"));
    row.colour = new QLabel(this);
    row.colour->setFixedSize(kSwatch, kSwatch);
    row.colour->setAccessibleName(tr("Mean colour of %1").arg(title));
    row.vector = new QLabel(this);
    row.vector->setTextInteractionFlags(Qt::TextSelectableByMouse);
    row.vector->setAccessibleName(tr("Vector of %1").arg(title));
    row.vector->setToolTip(tr("Optical densities of red, green and blue, of length 1"));
    connect(row.choice, &QRadioButton::clicked, &stains_, [this, part] { stains_.setPart(part); });
    if (!isBackground) {
        row.name = new QLineEdit(this);
        row.name->setPlaceholderText(tr("Name"));
        explain(row.name, tr("Name of stain %1").arg(number), tr("Name of the channel, for example DAB"));
        connect(row.name, &QLineEdit::textEdited, &stains_,
                [this, part](const QString& text) { stains_.setName(part, text); });
        connect(row.name, &QLineEdit::editingFinished, this, &StainControls::showStains);
    }
    return row;
}

void StainControls::show(const Row& row, Part part) const {
    row.choice->setChecked(stains_.part() == part);
    QPixmap swatch(row.colour->size() * devicePixelRatioF());
    swatch.setDevicePixelRatio(devicePixelRatioF());
    const QColor colour = stains_.colour(part);
    swatch.fill(colour.isValid() ? colour : Qt::transparent);
    row.colour->setPixmap(swatch);
    row.colour->setToolTip(colour.isValid() ? colour.name() : QString());
    const bool isBackground = part == Part::background;
    row.vector->setText(isBackground ? (colour.isValid() ? colour.name() : tr("white"))
                                     : vectorText(stains_.vector(part)));
    if (row.name != nullptr && !row.name->hasFocus()) {
        row.name->setText(stains_.name(part));
    }
}

void StainControls::showStains() {
    setVisible(stains_.isPicking());
    for (const Part part : Stains::kParts) {
        show(rows_[static_cast<std::size_t>(part)], part);
    }
    const QString problem = stains_.problem();
    problem_->setText(problem);
    problem_->setVisible(!problem.isEmpty());
    separate_->setEnabled(stains_.canSeparate());
}

namespace {

/// Asks for an expression; empty if there is none.
QString askForExpression(QWidget* parent, const QString& present) {
    QInputDialog dialog(parent);
    dialog.setWindowTitle(ImagePanel::tr("Compute a channel"));
    dialog.setLabelText(ImagePanel::tr("Expression of the file's channels, by name or number from 0:") +
                        QStringLiteral("\n\n") + QString::fromStdString(derivationHelp()));
    dialog.setTextValue(present);
    constexpr int kWidth = 420; // px
    dialog.findChild<QLabel*>()->setWordWrap(true);
    resizeOnScreen(dialog, {kWidth, dialog.sizeHint().height()});
    return dialog.exec() == QDialog::Accepted ? dialog.textValue().trimmed() : QString();
}

const QVariant kPickStains(true); ///< data of the entry that starts picking; the data of other entries are texts

QString formatText(const ImageInfo& info) {
    QString text = QString::fromStdString(info.format);
    if (!info.compression.empty() && info.compression != "none" && info.compression != info.format) {
        text += QStringLiteral(", ") + QString::fromStdString(info.compression);
    }
    return text;
}

QString depthText(const ImageInfo& info) {
    const QString bits = ImagePanel::tr("%1 bit").arg(info.bits);
    QStringList parts{info.samples > 1 ? QStringLiteral("%1 × %2").arg(info.samples).arg(bits) : bits};
    if (!info.photometric.empty()) {
        parts << QString::fromStdString(info.photometric);
    }
    return parts.join(QStringLiteral(", "));
}

QString sizeText(const ImageInfo& info) {
    QString sides = ImagePanel::tr("%1 × %2 px").arg(info.width).arg(info.height);
    const double megapixels = static_cast<double>(info.width) * info.height / 1e6;
    if (megapixels < 0.01) {
        return sides;
    }
    return ImagePanel::tr("%1 (%2 MP)").arg(sides, QLocale().toString(megapixels, 'f', megapixels < 1 ? 2 : 1));
}

QString volumeText(const Extent& extent) {
    const double megavoxels = static_cast<double>(extent.pixelCount()) / 1e6;
    return ImagePanel::tr("%1 × %2 × %3 voxels (%4 million)")
        .arg(extent.width)
        .arg(extent.height)
        .arg(extent.slices)
        .arg(QLocale().toString(megavoxels, 'f', megavoxels < 1 ? 2 : 1));
}

QString printedText(const PixelSize& size) {
    const QLocale locale;
    const auto number = [&](double value) { return locale.toString(value, 'g', 5); };
    const QString unit = QString::fromStdString(size.unit);
    return size.x == size.y ? QStringLiteral("%1 %2").arg(number(size.x), unit)
                            : QStringLiteral("%1 × %2 %3").arg(number(size.x), number(size.y), unit);
}

QString orientationText(int orientation) {
    switch (orientation) {
    case 2:
        return ImagePanel::tr("was mirrored");
    case 3:
        return ImagePanel::tr("was upside down");
    case 4:
        return ImagePanel::tr("was mirrored upside down");
    case 5:
        return ImagePanel::tr("was transposed");
    case 6:
        return ImagePanel::tr("was turned left");
    case 7:
        return ImagePanel::tr("was transposed the other way");
    case 8:
        return ImagePanel::tr("was turned right");
    default:
        return {};
    }
}

/// Metadata of the file and how it was interpreted, in display order.
/// @param size of a pixel, as stated by the file
FactList::Facts factsOf(const ImageInfo& info, const std::optional<PixelSize>& size) {
    FactList::Facts facts;
    if (size && size->print) {
        facts.emplace_back(ImagePanel::tr("Printed pixel"), printedText(*size));
    }
    if (const QString orientation = orientationText(info.orientation); !orientation.isEmpty()) {
        facts.emplace_back(ImagePanel::tr("Orientation"), orientation);
    }
    if (info.invalidPixels > 0) {
        const double share = 100.0 * static_cast<double>(info.invalidPixels) /
                             (static_cast<double>(info.width) * static_cast<double>(info.height));
        facts.emplace_back(ImagePanel::tr("Without data"),
                           ImagePanel::tr("%1 px (%2 %)")
                               .arg(QLocale().toString(static_cast<qulonglong>(info.invalidPixels)),
                                    QLocale().toString(share, 'g', 3)));
    }
    for (const auto& [name, text] : info.facts) {
        const bool computed = name == kChannelFact && Derivation::isExpression(text);
        facts.emplace_back(QString::fromStdString(name), QString::fromStdString(computed ? spacedText(text) : text));
    }
    return facts;
}

} // namespace

void ImagePanel::Row::setVisible(bool visible) const {
    caption->setVisible(visible);
    value->setVisible(visible);
}

ImagePanel::ImagePanel(Models& models, QWidget* parent) : QWidget(parent), models_(models), document_(models.document) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kPanelMargin, kPanelMargin, kPanelMargin, kPanelMargin);
    layout->setSpacing(kPanelSpacing);
    name_ = new ElidedLabel(this, Qt::ElideMiddle);
    QFont strong = name_->font();
    strong.setWeight(QFont::DemiBold);
    name_->setFont(strong);
    layout->addWidget(name_);
    grid_ = new QGridLayout;
    grid_->setHorizontalSpacing(10);
    grid_->setVerticalSpacing(5);
    grid_->setColumnStretch(1, 1);
    layout->addLayout(grid_);
    size_ = addFact(tr("Size"), sizeRow_);
    format_ = addFact(tr("Format"), formatRow_);
    depth_ = addFact(tr("Depth"), depthRow_);
    levels_ = addFact(tr("Values"), levelsRow_);
    addChoices();
    auto* stains = new StainControls(models.stains, this);
    grid_->addWidget(stains, grid_->rowCount(), 0, 1, 2);
    nodes_ = addFact(tr("Nodes"), nodesRow_);
    leaves_ = addFact(tr("Leaves"), leavesRow_);
    depthOfTree_ = addFact(tr("Tree depth"), depthOfTreeRow_);
    time_ = addFact(tr("Built in"), timeRow_);
    nodes_->setObjectName(QStringLiteral("treeNodes"));
    nodes_->setToolTip(tr("Components of the tree"));
    leaves_->setToolTip(tr("Components without a component inside: peaks of a max-tree, pits of a min-tree"));
    depthOfTree_->setToolTip(tr("Largest number of steps from the root to a node"));
    layout->addWidget(new PixelSizeControls(models.pixelSize, this));
    layout->addWidget(new ValueRangeControls(models.valueRange, this));
    facts_ = new FactList(this);
    facts_->setObjectName(QStringLiteral("facts"));
    layout->addWidget(facts_);
    notes_ = new CaptionLabel(QString(), this);
    notes_->setWordWrap(true);
    notes_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    layout->addWidget(notes_);
    layout->addStretch(1);

    connectChoices();
    connect(&document_, &vm::DocumentViewModel::treeChanged, this, &ImagePanel::showTree);
    // A page or channel that could not be opened must not stay in the controls.
    connect(&document_.activity(), &vm::DocumentActivity::stateChanged, this, &ImagePanel::showChoices);
    connect(&document_.activity(), &vm::DocumentActivity::errorOccurred, this, &ImagePanel::showChoices);
    connect(&document_.reading(), &vm::DocumentReading::readingKept, this, &ImagePanel::showChoices);
    follow(this, &ImagePanel::showImage, document_, &vm::DocumentViewModel::imageChanged);
}

void ImagePanel::addChoices() {
    channel_ = new QComboBox(this);
    channel_->setObjectName(QStringLiteral("channel"));
    explain(
        channel_, tr("Channel"),
        tr("Grey value of a pixel of several channels; luminance = 0.2126 R + 0.7152 G + 0.0722 B. Stains and indices "
           "are computed"));
    addRow(tr("Channel"), channel_, channelRow_);
    level_ = makeControl<QComboBox>(this, "resolutionLevel", tr("Resolution"),
                                    tr("The file holds the image in several sizes"));
    addRow(tr("Resolution"), level_, levelRow_);
    shrink_ = makeControl<QComboBox>(this, "shrink", tr("Pixels read"),
                                     tr("Shrunk: blocks of pixels become their mean, to save memory"));
    shrink_->addItem(tr("Every pixel"), 1);
    for (const int factor : {2, 4, 8}) {
        shrink_->addItem(tr("Shrunk by %1").arg(factor), factor);
    }
    addRow(tr("Read"), shrink_, shrinkRow_);
    whole_ = makeControl<QPushButton>(this, "openWhole", tr("Open the whole page"),
                                      tr("Only a part of the page is open"), tr("Open the whole page"));
    addRow(tr("Part"), whole_, partRow_);
}

void ImagePanel::connectChoices() {
    connect(channel_, &QComboBox::activated, this, [this] {
        vm::DocumentReading& reading = document_.reading();
        if (channel_->currentData() == kPickStains) {
            showChoices();
            models_.stains.setPicking(true);
            return;
        }
        QString choice = channel_->currentData().toString();
        if (choice.isEmpty()) {
            const bool computed = reading.channel().kind == ChannelChoice::Kind::derived;
            choice = askForExpression(this, computed ? reading.channelName() : QString());
        }
        if (choice.isEmpty()) {
            showChoices();
        } else {
            reading.setChannelName(choice);
        }
    });
    connect(level_, &QComboBox::activated, this,
            [this] { document_.reading().setLevel(level_->currentData().toInt()); });
    connect(shrink_, &QComboBox::activated, this,
            [this] { document_.reading().setShrink(shrink_->currentData().toInt()); });
    connect(whole_, &QPushButton::clicked, this, [this] { document_.reading().setReadRegion(std::nullopt); });
}

QLabel* ImagePanel::addFact(const QString& caption, Row& row) {
    auto* value = new QLabel(this);
    value->setTextInteractionFlags(Qt::TextSelectableByMouse);
    value->setAccessibleName(caption);
    value->setWordWrap(true);
    addRow(caption, value, row);
    return value;
}

void ImagePanel::addRow(const QString& caption, QWidget* value, Row& row) {
    row.caption = new CaptionLabel(caption, this);
    row.value = value;
    const int line = grid_->rowCount();
    grid_->addWidget(row.caption, line, 0, Qt::AlignLeft | Qt::AlignTop);
    grid_->addWidget(value, line, 1);
}

void ImagePanel::showImage() {
    const auto info = document_.imageInfo();
    const bool open = info != nullptr && document_.hasImage();
    name_->setVisible(open);
    for (const Row* row : {&sizeRow_, &formatRow_, &depthRow_, &levelsRow_}) {
        row->setVisible(open);
    }
    notes_->clear();
    if (open) {
        const QLocale locale;
        name_->setFullText(QDir(document_.path()).dirName());
        name_->setToolTip(QDir::toNativeSeparators(document_.path()));
        size_->setText(document_.isVolume() ? volumeText(document_.shown().volume->extent()) : sizeText(*info));
        format_->setText(formatText(*info));
        depth_->setText(depthText(*info));
        if (const auto histogram = document_.shown().histogram) {
            const auto mapping = vm::evenMappingOf(info->mapping, histogram->maxLevel());
            levels_->setText(tr("%1 to %2")
                                 .arg(vm::greyNumber(valueOf(mapping, histogram->minimum)),
                                      vm::greyText(mapping, histogram->maximum)));
        }
        QStringList notes;
        for (const std::string& note : info->notes) {
            notes << QString::fromStdString(note);
        }
        notes_->setText(notes.join(QLatin1Char('\n')));
    }
    facts_->setFacts(open ? factsOf(*info, document_.pixelSizes().ofFile()) : FactList::Facts());
    notes_->setVisible(!notes_->text().isEmpty());
    showChoices();
    showTree();
}

void ImagePanel::showChoices() {
    const QSignalBlocker quietChannel(channel_);
    const QSignalBlocker quietLevel(level_);
    const QSignalBlocker quietShrink(shrink_);
    const bool open = document_.hasImage();
    const vm::OpenRequest& request = document_.request();
    const QList<vm::ChannelEntry> channels =
        open ? vm::offeredChannels(document_.reading(), models_.filter.channels()) : QList<vm::ChannelEntry>();
    channelRow_.setVisible(channels.size() > 1);
    const auto info = document_.imageInfo();
    const std::size_t levels = open ? info->levels.size() : 0;
    levelRow_.setVisible(levels > 1);
    level_->clear();
    for (std::size_t i = 0; i < levels; ++i) {
        level_->addItem(tr("%1 × %2 px").arg(info->levels[i].width).arg(info->levels[i].height), static_cast<int>(i));
    }
    level_->setCurrentIndex(level_->findData(request.level));
    shrinkRow_.setVisible(open);
    if (shrink_->findData(request.shrink) < 0) {
        shrink_->addItem(tr("Shrunk by %1").arg(request.shrink), request.shrink);
    }
    shrink_->setCurrentIndex(shrink_->findData(request.shrink));
    partRow_.setVisible(open && request.region.has_value());
    whole_->setToolTip(tr("Only a part of the page is open: %1").arg(document_.request().reductionText()));
    channel_->clear();
    for (const vm::ChannelEntry& channel : channels) {
        channel_->addItem(channel.name, channel.choice);
    }
    channel_->insertSeparator(channel_->count());
    channel_->addItem(tr("Expression…"));
    if (models_.stains.isAvailable()) {
        channel_->addItem(tr("Pick stains on the image…"), kPickStains);
    }
    channel_->setCurrentIndex(channel_->findData(document_.reading().channelName()));
}

void ImagePanel::showTree() {
    const bool known = document_.hasImage() && document_.tree() != nullptr;
    for (const Row* row : {&nodesRow_, &leavesRow_, &depthOfTreeRow_, &timeRow_}) {
        row->setVisible(known);
    }
    if (!known) {
        return;
    }
    const QLocale locale;
    const TreeReport& report = document_.shown().treeReport;
    nodes_->setText(locale.toString(report.nodes));
    leaves_->setText(locale.toString(report.leaves));
    depthOfTree_->setText(locale.toString(report.depth));
    time_->setText(durationText(report.milliseconds));
    time_->setToolTip(tr("Time to build the tree with %1").arg(QString::fromStdString(report.algorithm)));
}

} // namespace pollard::app
