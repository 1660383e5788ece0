#include "docks/image_panel.hpp"

#include "docks/counter_table.hpp"
#include "document_view_model.hpp"
#include "widgets/panel_parts.hpp"

#include <QDir>
#include <QGridLayout>
#include <QHash>
#include <QLocale>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace pollard::app {
namespace {

QString channelTitle(const QString& name) {
    static const QHash<QString, QString> titles{{QStringLiteral("luminance"), ImagePanel::tr("Luminance")},
                                                {QStringLiteral("red"), ImagePanel::tr("Red")},
                                                {QStringLiteral("green"), ImagePanel::tr("Green")},
                                                {QStringLiteral("blue"), ImagePanel::tr("Blue")}};
    return titles.value(name, name);
}

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

} // namespace

void ImagePanel::Row::setVisible(bool visible) const {
    caption->setVisible(visible);
    value->setVisible(visible);
}

ImagePanel::ImagePanel(vm::DocumentViewModel& document, QWidget* parent) : QWidget(parent), document_(document) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kPanelMargin, kPanelMargin, kPanelMargin, kPanelMargin);
    layout->setSpacing(kPanelSpacing);
    name_ = new ElidedLabel(this);
    QFont strong = name_->font();
    strong.setWeight(QFont::DemiBold);
    name_->setFont(strong);
    layout->addWidget(name_);
    hint_ = new CaptionLabel(tr("Open an image to see its facts."), this);
    hint_->setWordWrap(true);
    layout->addWidget(hint_);

    grid_ = new QGridLayout;
    grid_->setHorizontalSpacing(10);
    grid_->setVerticalSpacing(5);
    grid_->setColumnStretch(1, 1);
    layout->addLayout(grid_);
    size_ = addFact(tr("Size"), sizeRow_);
    format_ = addFact(tr("Format"), formatRow_);
    depth_ = addFact(tr("Depth"), depthRow_);
    levels_ = addFact(tr("Levels"), levelsRow_);
    page_ = new QSpinBox(this);
    page_->setObjectName(QStringLiteral("page"));
    page_->setKeyboardTracking(false);
    explain(page_, tr("Page"), tr("Page of the file (Page Up, Page Down)"));
    addRow(tr("Page"), page_, pageRow_);
    channel_ = new QComboBox(this);
    channel_->setObjectName(QStringLiteral("channel"));
    explain(channel_, tr("Channel"),
            tr("The grey value made of a colour pixel; luminance = 0.2126 R + 0.7152 G + 0.0722 B"));
    addRow(tr("Channel"), channel_, channelRow_);
    nodes_ = addFact(tr("Nodes"), nodesRow_);
    leaves_ = addFact(tr("Leaves"), leavesRow_);
    depthOfTree_ = addFact(tr("Tree depth"), depthOfTreeRow_);
    time_ = addFact(tr("Built in"), timeRow_);
    nodes_->setObjectName(QStringLiteral("treeNodes"));
    nodes_->setToolTip(tr("Components of the tree"));
    leaves_->setToolTip(tr("Components without a component inside: peaks of a max-tree, pits of a min-tree"));
    depthOfTree_->setToolTip(tr("Largest number of steps from the root to a node"));
    notes_ = new CaptionLabel(QString(), this);
    notes_->setWordWrap(true);
    layout->addWidget(notes_);
    layout->addStretch(1);

    connect(page_, &QSpinBox::valueChanged, this, [this](int value) { document_.setPage(value - 1); });
    connect(channel_, &QComboBox::activated, this,
            [this] { document_.setChannelName(channel_->currentData().toString()); });
    connect(&document_, &vm::DocumentViewModel::documentChanged, this, &ImagePanel::showImage);
    connect(&document_, &vm::DocumentViewModel::treeChanged, this, &ImagePanel::showTree);
    // A page or channel that could not be opened must not stay in the controls.
    connect(&document_, &vm::DocumentViewModel::stateChanged, this, &ImagePanel::showChoices);
    showImage();
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
    hint_->setVisible(!open);
    for (const Row* row : {&sizeRow_, &formatRow_, &depthRow_, &levelsRow_}) {
        row->setVisible(open);
    }
    notes_->clear();
    if (open) {
        const QLocale locale;
        name_->setFullText(QDir(document_.path()).dirName());
        name_->setToolTip(QDir::toNativeSeparators(document_.path()));
        size_->setText(sizeText(*info));
        format_->setText(formatText(*info));
        depth_->setText(depthText(*info));
        if (const auto histogram = document_.levelHistogram()) {
            levels_->setText(
                tr("%1 to %2").arg(locale.toString(histogram->minimum), locale.toString(histogram->maximum)));
        }
        QStringList notes;
        for (const std::string& note : info->notes) {
            notes << QString::fromStdString(note);
        }
        notes_->setText(notes.join(QLatin1Char('\n')));
    }
    notes_->setVisible(!notes_->text().isEmpty());
    showChoices();
    showTree();
}

void ImagePanel::showChoices() {
    const QSignalBlocker quietPage(page_);
    const QSignalBlocker quietChannel(channel_);
    const bool open = document_.hasImage();
    const QStringList channels = open ? document_.channelNames() : QStringList();
    pageRow_.setVisible(open && document_.pageCount() > 1);
    channelRow_.setVisible(channels.size() > 1);
    page_->setRange(1, std::max(document_.pageCount(), 1));
    page_->setSuffix(tr(" of %1").arg(document_.pageCount()));
    page_->setValue(document_.page() + 1);
    channel_->clear();
    for (const QString& name : channels) {
        channel_->addItem(channelTitle(name), name);
    }
    channel_->setCurrentIndex(channel_->findData(document_.channelName()));
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
    const TreeReport& report = document_.treeReport();
    nodes_->setText(locale.toString(report.nodes));
    leaves_->setText(locale.toString(report.leaves));
    depthOfTree_->setText(locale.toString(report.depth));
    time_->setText(durationText(report.milliseconds));
    time_->setToolTip(tr("Time to build the tree with %1").arg(QString::fromStdString(report.algorithm)));
}

} // namespace pollard::app
