#pragma once

#include "vm/document/document_contents.hpp"
#include "vm/document/jobs/job_types.hpp"

#include <QObject>
#include <QString>

#include <functional>
#include <memory>
#include <optional>
#include <utility>

namespace pollard::vm {

/// The tree, the filter and the engine requested for a document. They differ from the displayed tree, filter and engine
/// while a new result is being computed or a Hold exists.
class DocumentChoices : public QObject {
    Q_OBJECT

public:
    /// @param shown must outlive this
    explicit DocumentChoices(const DocumentContents& shown) : shown_(shown) {}

    [[nodiscard]] const TreeSpec& treeSpec() const noexcept { return treeSpec_; }
    [[nodiscard]] TreeStep tree() const noexcept { return {treeKind(), connectivity()}; }
    [[nodiscard]] TreeKind treeKind() const noexcept { return treeSpec_.kind; }
    [[nodiscard]] Connectivity connectivity() const noexcept { return treeSpec_.connectivity; }
    /// The analysed region; null for the whole image. Pixels outside and pixels without data are excluded.
    [[nodiscard]] std::shared_ptr<const Mask> domain() const noexcept { return domain_; }
    /// The filters before the current one, on and off.
    [[nodiscard]] const FilterStages& earlierFilters() const noexcept { return earlier_; }
    [[nodiscard]] const FilterSpec& filterSpec() const noexcept { return filterSpec_; }
    [[nodiscard]] QString requestedEngine() const { return engine_; } ///< "auto", "cpu", "cuda"
    /// The engine in use; initially empty.
    [[nodiscard]] QString engineName() const { return QString::fromStdString(used_.name); }
    [[nodiscard]] QString engineDevice() const { return QString::fromStdString(used_.device); }

    /// Whether the displayed tree and the filtered image are the requested ones, by any engine.
    [[nodiscard]] bool isResultAsWanted() const;
    /// Whether the displayed tree is the requested one: by its spec, domain, earlier filters and engine.
    [[nodiscard]] bool isTreeAsWanted() const;
    /// Whether another tree is to be built when the last Hold is released.
    [[nodiscard]] bool isTreeHeld() const noexcept { return treeHeld_; }
    /// While one exists, changes of trees and filters are collected and lead to one image. Request the tree first.
    class Hold {
    public:
        explicit Hold(DocumentChoices& choices) : choices_(choices) { ++choices_.holds_; }
        ~Hold() { choices_.release(); }

    private:
        Q_DISABLE_COPY_MOVE(Hold)
        DocumentChoices& choices_;
    };

    void setTreeKind(TreeKind kind) { set(&TreeSpec::kind, kind); }
    void setConnectivity(Connectivity connectivity) { set(&TreeSpec::connectivity, connectivity); }
    /// Sets kind, connectivity and algorithm. The connectivity is converted if the displayed image or volume has other
    /// ones.
    void setTreeSpec(const TreeSpec& asked);
    /// Sets kind and connectivity; keeps the algorithm.
    void setTree(const TreeStep& tree);
    /// Restricts the analysis to these pixels (null: none). The mask has the size of the image; it is dropped when
    /// another file, another part or resolution of the file, or an image of another size is opened.
    void setDomain(const std::shared_ptr<const Mask>& domain);
    /// Applies these filters first and builds the tree of their result. Like the current filter, they stay for other
    /// images: regions are moved when another part of the file is read and dropped for another file; hand-picked
    /// components are dropped for every other image. Without an image they apply to the first one.
    void setEarlierFilters(const FilterStages& stages);
    /// "auto", "cpu", "cuda"; an open image moves to that engine.
    void setEngine(const QString& name);

    // For the document:
    [[nodiscard]] TreeRequest request() const;
    /// The request for any page of the file: without hand-picked components.
    [[nodiscard]] TreeRequest requestForPages() const;
    /// Whether the px of an image lie at the same places of the same file as the px of the displayed one.
    [[nodiscard]] bool isSamePlace(const OpenRequest& image) const;
    /// The request for another image, see stagesFor(); without the domain for another file or part.
    [[nodiscard]] TreeRequest requestFor(const OpenRequest& image) const;
    /// Earlier filters for another image. In the same file regions keep their place on the page and hand-picked
    /// components are removed; for another file both are dropped.
    [[nodiscard]] FilterStages stagesFor(const OpenRequest& image) const;
    void setFilterSpec(const FilterSpec& spec) { filterSpec_ = spec; }
    /// The filter that another image is opened with; empty: the present one.
    using FilterSource = std::function<std::optional<FilterSpec>(const OpenRequest& image)>;
    void setFilterSource(FilterSource source) { filterSource_ = std::move(source); }
    /// Measured with every tree.
    void setAttribute(AttributeId id) { attribute_ = id; }
    /// Changes between 4 and 6, or 8 and 26 neighbours, if the display changes between image and volume.
    void adoptConnectivity();
    void takeDomain(const std::shared_ptr<const Mask>& domain);
    /// earlierFiltersChanged() is left to the caller. @returns whether they differ
    [[nodiscard]] bool takeEarlier(const FilterStages& stages);
    /// Drops the choices for the image that was closed. @returns as takeEarlier()
    [[nodiscard]] bool leaveImage();
    void takeEngine(const EngineUse& use);
    /// Returns to the displayed tree, domain, earlier filters and engine.
    void revertTree();
    /// Whether a Hold exists, whose end requests the tree or the image.
    [[nodiscard]] bool holdTree() noexcept { return holds_ > 0 && (treeHeld_ = true); }
    [[nodiscard]] bool holdFilter() noexcept { return holds_ > 0 && (filterHeld_ = true); }

signals:
    void treeSpecChanged();
    void domainChanged();
    void earlierFiltersChanged(); ///< follows imageChanged()
    void engineChanged();         ///< the requested one or the one in use
    void treeRequested();
    void released(bool tree, bool filter); ///< the last Hold ended; the requests it held back

private:
    template <class Value> void set(Value TreeSpec::*member, Value value) {
        TreeSpec spec = treeSpec_;
        spec.*member = value;
        setTreeSpec(spec);
    }
    /// Whether the displayed tree is the requested one, by any engine.
    [[nodiscard]] bool isSameTree() const;
    void release();

    const DocumentContents& shown_;
    TreeSpec treeSpec_;
    std::shared_ptr<const Mask> domain_;
    FilterStages earlier_;
    FilterSpec filterSpec_;
    FilterSource filterSource_; ///< may be empty
    AttributeId attribute_ = AttributeId::area;
    QString engine_ = QStringLiteral("auto");
    EngineUse used_{"auto", {}, {}, {}, nullptr};
    int holds_ = 0;
    bool treeHeld_ = false;
    bool filterHeld_ = false;
};

} // namespace pollard::vm
