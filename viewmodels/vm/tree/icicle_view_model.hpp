#pragma once

#include "vm/base/async_result.hpp"
#include "vm/base/change.hpp"
#include "vm/base/latest_wins_worker.hpp"

#include "attributes/attribute.hpp"
#include "base/job_control.hpp"
#include "filter/filter_columns.hpp"
#include "filter/filter_spec.hpp"
#include "filter/node_decision.hpp"
#include "tree/icicle.hpp"

#include <QPointF>
#include <QRectF>
#include <QSize>
#include <QString>
#include <QStringList>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace pollard::vm {

class ChainViewModel;
class DocumentViewModel;
class FilterViewModel;

/// Colours of an icicle, 0xAARRGGBB.
struct IciclePalette {
    std::vector<std::uint32_t> scale;   ///< from the smallest to the largest value
    std::vector<std::uint32_t> removed; ///< the same length, for nodes removed by the filter
    std::uint32_t undefined = 0;
    std::uint32_t selected = 0;

    bool operator==(const IciclePalette&) const = default;
};

/// A node is marked by a number other than 0.
using NodeFlags = std::shared_ptr<const std::vector<std::uint8_t>>;

/// A painted part of an icicle with its input.
struct IcicleFrame {
    std::shared_ptr<const IcicleLayout> layout;
    std::shared_ptr<const AttributeColumn> column;
    std::shared_ptr<const NodeDecision> decision; ///< of the filter; null if no node is removed
    NodeFlags selected;                           ///< null if there is no selection
    bool logarithmic = false;
    double lowest = 0; ///< value of the first colour; the last colour is column->maximum
    IcicleRect part;
    std::uint32_t columns = 0;
    std::uint32_t rows = 0;
    std::vector<std::uint32_t> nodes;  ///< of shape (rows, columns): node or kNoIcicleNode
    std::vector<std::uint32_t> pixels; ///< the same: 0xAARRGGBB or 0

    /// Colours of the components with the present @p palette; valid as long as both exist.
    [[nodiscard]] IcicleColours colours(const IciclePalette& palette) const noexcept;
    /// The component at a place of the icicle; empty if there is none, and outside the part.
    [[nodiscard]] std::optional<std::uint32_t> nodeAt(double area, double height) const noexcept;
};

/// Input of a painted icicle.
struct IcicleRequest {
    std::shared_ptr<const ComponentTree> tree;
    IcicleHeight measure = IcicleHeight::level;
    std::optional<IcicleRect> part; ///< empty: all
    std::uint32_t columns = 0;
    std::uint32_t rows = 0;
    std::shared_ptr<const AttributeColumn> column;
    bool logarithmic = false;
    IciclePalette palette;
    std::optional<FilterSpec> filter; ///< removes nodes
    FilterColumns filterColumns;
    NodeFlags selected; ///< null or one per node
};

/// Paints icicles, and reuses layout and decision. Used by one thread at a time.
class IcicleMaker {
public:
    /// @throws Cancelled, Error
    [[nodiscard]] std::shared_ptr<const IcicleFrame> make(const IcicleRequest& request, const JobControl& control);
    /// Frees everything.
    void forget() noexcept;

private:
    void decide(const IcicleRequest& request, const JobControl& control);

    std::shared_ptr<const IcicleLayout> layout_;
    std::shared_ptr<const ComponentTree> decided_; ///< tree of the decision
    FilterSpec filter_;
    std::shared_ptr<const NodeDecision> decision_;
};

/// The icicle of the present tree: the displayed part, its colours, and the component under the pointer. It is painted
/// on another thread from constant data; until that is done the last image is displayed. The component under the
/// pointer becomes the chain's component and is highlighted in the image.
///
/// Places are fractions of the view: (0, 0) the upper left corner, (1, 1) the lower right one. Painting needs
/// setActive(); otherwise only the place in the tree is kept.
class IcicleViewModel : public Analysis {
    Q_OBJECT

public:
    using State = AsyncState;

    static constexpr std::uint32_t kMostLinked = 200; ///< most components drawn as nodes and links

    /// A component as a node of a drawn tree.
    struct LinkedNode {
        std::uint32_t node = 0;
        std::size_t parent = 0;   ///< index in the list; 0 for the first one
        double place = 0;         ///< 0 .. 1 from left to right
        double height = 0;        ///< as in IcicleLayout
        std::uint32_t colour = 0; ///< 0xAARRGGBB
    };

    /// All must outlive this.
    IcicleViewModel(DocumentViewModel& document, FilterViewModel& filter, ChainViewModel& chain,
                    QObject* parent = nullptr);

    [[nodiscard]] State state() const noexcept { return state_; }
    [[nodiscard]] QString problem() const { return problem_; }
    /// The attribute of the colours: the chosen one, else the attribute of the criterion.
    [[nodiscard]] AttributeId attribute() const noexcept { return attribute_; }
    /// Logarithmic colours. Attributes that can be negative have no logarithm.
    [[nodiscard]] bool isLogarithmic() const noexcept { return logarithmic_; }
    /// All components have the same height; else the number of their grey levels.
    [[nodiscard]] bool isByDepth() const noexcept { return measure_ == IcicleHeight::depth; }
    /// Components removed by the filter have other colours.
    [[nodiscard]] bool showsRemoved() const noexcept { return showsRemoved_; }

    /// Small subtrees are to be drawn as nodes and links.
    [[nodiscard]] bool isLinked() const noexcept { return linked_; }
    /// The focused subtree is small enough for that.
    [[nodiscard]] bool canLink() const;
    /// The focused subtree, parents before their children; empty unless isLinked() and canLink().
    [[nodiscard]] std::vector<LinkedNode> linkedNodes() const;
    /// Root of the focused subtree; the root of the tree if none is focused.
    [[nodiscard]] std::uint32_t focusNode() const { return focus_.empty() ? 0 : focus_.back().node; }

    /// The last image; null if there is none. Its part may differ from view().
    [[nodiscard]] std::shared_ptr<const IcicleFrame> frame() const noexcept { return frame_; }
    /// Whether the image is up to date.
    [[nodiscard]] bool isIdle() const override;
    [[nodiscard]] const IcicleRect& view() const noexcept { return view_; } ///< the requested part
    [[nodiscard]] bool isWhole() const;
    [[nodiscard]] IcicleRect whole() const; ///< of the last image's tree

    /// The component at a place; empty if there is none.
    [[nodiscard]] std::optional<std::uint32_t> nodeAt(const QPointF& place) const;
    /// Box of a component in places; may exceed 0 .. 1.
    [[nodiscard]] QRectF boxOf(std::uint32_t node) const;
    /// Label of the vertical axis: a grey level, or edges from the root.
    [[nodiscard]] double labelAt(double height) const;
    [[nodiscard]] double heightOf(double label) const; ///< the inverse of labelAt()
    /// A height in values of the image, for an axis: the value of a level, or a depth.
    [[nodiscard]] double shownAt(double height) const;
    [[nodiscard]] double heightOfShown(double shown) const;
    [[nodiscard]] QString heightTitle() const; ///< "Level", "Value (HU)", "Depth"
    /// Whether shownAt() is whole for levels.
    [[nodiscard]] bool areHeightsWhole() const;

    /// One line on the component under the pointer, else on the chain's current one; empty without one.
    [[nodiscard]] QString readout() const;
    /// The nested focused subtrees: "Whole image", "Level 812, 1,204 px".
    [[nodiscard]] QStringList crumbs() const;

    [[nodiscard]] const LatestWinsWorker& worker() const noexcept { return worker_; }

public slots:
    void setAttribute(pollard::AttributeId id);
    void setLogarithmic(bool logarithmic) {
        change(this, logarithmic_, logarithmic, &IcicleViewModel::optionsChanged, &IcicleViewModel::update);
    }
    void setByDepth(bool byDepth);
    void setShowsRemoved(bool shows) {
        change(this, showsRemoved_, shows, &IcicleViewModel::optionsChanged, &IcicleViewModel::update);
    }
    void setLinked(bool linked) { change(this, linked_, linked, &IcicleViewModel::optionsChanged); }
    /// Size of the painted area, px of the screen.
    void setSurface(const QSize& size) { change(this, surface_, size, &IcicleViewModel::update); }
    void setPalette(const pollard::vm::IciclePalette& palette) {
        change(this, palette_, palette, &IcicleViewModel::update);
    }
    /// Nodes in the colour of the selection; null for none. Dropped with the tree.
    void setSelected(const pollard::vm::NodeFlags& selected) {
        change(this, selected_, selected, &IcicleViewModel::update);
    }

    /// Scales by these factors around a fixed place.
    void zoom(const QPointF& place, double acrossFactor, double downFactor);
    /// Moves the view by fractions of its size.
    void pan(const QPointF& shares);
    /// Moves the view to the chain's current component.
    void reveal();
    /// Shows a component with its descendants.
    void focus(std::uint32_t node);
    /// Shows the crumb with this number; the first one is the whole tree.
    void focusCrumb(int number);
    /// Returns to the previous focus.
    void back();

    void hover(const QPointF& place) { hoverNode(nodeAt(place)); }
    void hoverNode(std::optional<std::uint32_t> node);
    void leave();
    /// Holds the component at a place; releases it outside all components.
    void click(const QPointF& place) { clickNode(nodeAt(place)); }
    void clickNode(std::optional<std::uint32_t> node);

signals:
    void optionsChanged();
    void viewChanged(); ///< another part of the tree
    /// The focus changes; precedes viewChanged(). @param before the previous view
    void focusMoved(const pollard::IcicleRect& before);
    void crumbsChanged();
    void readoutChanged(); ///< possibly

private:
    void onActive() override;
    struct Focus {
        std::uint32_t node = 0;
        QString text;
    };
    void onTree();
    void dropFrame();
    void forgetFocus();
    void update();
    void post();
    [[nodiscard]] bool hasColumns(const std::optional<FilterSpec>& spec);
    [[nodiscard]] std::optional<FilterSpec> presentFilter() const;
    void take(const IcicleRequest& request, std::shared_ptr<const IcicleFrame> frame);
    enum class Move { free, focus };
    void setView(IcicleRect view, Move move = Move::free);
    void setHovered(std::optional<std::uint32_t> node) {
        change(this, hovered_, node, &IcicleViewModel::readoutChanged);
    }

    DocumentViewModel& document_;
    FilterViewModel& filter_;
    ChainViewModel& chain_;
    State state_ = State::empty;
    QString problem_;
    AttributeId attribute_;
    bool followsCriterion_ = true;
    bool logarithmic_ = true;
    IcicleHeight measure_ = IcicleHeight::level;
    bool showsRemoved_ = true;
    bool linked_ = false;
    bool waiting_ = false; ///< for columns of the document
    QSize surface_;
    IciclePalette palette_;
    NodeFlags selected_;
    IcicleRect view_;
    bool viewIsWhole_ = true; ///< for any tree
    std::shared_ptr<const IcicleFrame> frame_;
    std::vector<Focus> focus_; ///< each inside the previous one
    std::optional<std::uint32_t> hovered_;
    std::shared_ptr<IcicleMaker> maker_; ///< used by jobs of the worker only
    LatestWinsWorker worker_;            ///< last: its job ends before the other members are destroyed
};

} // namespace pollard::vm
