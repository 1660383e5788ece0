#pragma once

#include "vm/base/latest_wins_worker.hpp"
#include "vm/tree/analysis.hpp"
#include "vm/tree/icicle_frame.hpp"

#include "attributes/attribute.hpp"
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

/// The icicle of the present tree: which part of it is shown, in which colours, and what is under the pointer. It is
/// painted on a thread of its own from data that does not change; until that is done, the last picture of it is there.
/// What the pointer is at becomes the chain's component, and so is lit in the picture.
///
/// Places are shares of what is shown: (0, 0) the left upper corner, (1, 1) the right lower one. While nobody looks
/// (setActive()) nothing is painted and only the place in the tree is kept.
class IcicleViewModel : public Analysis {
    Q_OBJECT

public:
    enum class State {
        empty,     ///< nothing is open, or nobody looks
        computing, ///< there is no picture yet
        ready,     ///< there is one; another may be on its way
        failed,    ///< problem() says why
    };

    static constexpr std::uint32_t kMostLinked = 200; ///< components that are drawn as nodes and links

    /// A component as a node of a drawn tree.
    struct LinkedNode {
        std::uint32_t node = 0;
        std::size_t parent = 0;   ///< number in the list; 0 for the first one
        double place = 0;         ///< 0 .. 1 from left to right
        double height = 0;        ///< as in IcicleLayout
        std::uint32_t colour = 0; ///< 0xAARRGGBB
    };

    /// All must outlive this.
    IcicleViewModel(DocumentViewModel& document, FilterViewModel& filter, ChainViewModel& chain,
                    QObject* parent = nullptr);

    [[nodiscard]] State state() const noexcept { return state_; }
    [[nodiscard]] QString problem() const { return problem_; }
    /// That colours are of; the criterion's until it is chosen.
    [[nodiscard]] AttributeId attribute() const noexcept { return attribute_; }
    /// Equal ratios are equal steps of colour. Attributes that can be negative have no logarithm.
    [[nodiscard]] bool isLogarithmic() const noexcept { return logarithmic_; }
    /// Every component is as high as any other; else as high as the grey levels that it lasts for.
    [[nodiscard]] bool isByDepth() const noexcept { return measure_ == IcicleHeight::depth; }
    /// What the filter removes has other colours.
    [[nodiscard]] bool showsRemoved() const noexcept { return showsRemoved_; }

    /// Small subtrees are wanted as nodes and links.
    [[nodiscard]] bool isLinked() const noexcept { return linked_; }
    /// The subtree that is focused is small enough for that.
    [[nodiscard]] bool canLink() const;
    /// It, parents before their children; empty unless isLinked() and canLink().
    [[nodiscard]] std::vector<LinkedNode> linkedNodes() const;
    /// The subtree that is focused; the root if none is.
    [[nodiscard]] std::uint32_t focusNode() const { return focus_.empty() ? 0 : focus_.back().node; }

    /// The last picture; null if there is none. Its part may still be another one than view().
    [[nodiscard]] std::shared_ptr<const IcicleFrame> frame() const noexcept { return frame_; }
    /// Whether the picture is the one of now.
    [[nodiscard]] bool rests() const override;
    [[nodiscard]] const IcicleRect& view() const noexcept { return view_; } ///< what is to be shown
    [[nodiscard]] bool isWhole() const;
    [[nodiscard]] IcicleRect whole() const; ///< of the last picture's tree

    /// The component at a place; nothing where there is none.
    [[nodiscard]] std::optional<std::uint32_t> nodeAt(const QPointF& place) const;
    /// Where the box of a component is, as places; may lie outside of 0 .. 1.
    [[nodiscard]] QRectF boxOf(std::uint32_t node) const;
    /// What the axis at the side says: a grey level, or edges from the root.
    [[nodiscard]] double labelAt(double height) const;
    [[nodiscard]] double heightOf(double label) const; ///< the inverse of labelAt()

    /// One line on the component under the pointer, else on the chain's current one; empty if there is none.
    [[nodiscard]] QString readout() const;
    /// The subtrees that were focused, one in the other: "Whole picture", "Level 812, 1,204 px".
    [[nodiscard]] QStringList crumbs() const;

    [[nodiscard]] const LatestWinsWorker& worker() const noexcept { return worker_; }

public slots:
    void setAttribute(pollard::AttributeId id);
    void setLogarithmic(bool logarithmic);
    void setByDepth(bool byDepth);
    void setShowsRemoved(bool shows);
    void setLinked(bool linked);
    /// Pixels of the screen that there are to be painted.
    void setSurface(const QSize& size);
    void setPalette(const pollard::vm::IciclePalette& palette);
    /// Nodes that have the colour of what is selected; null for none. They are forgotten with the tree.
    void setSelected(const pollard::vm::NodeFlags& selected);

    /// Magnifies by these factors; the place stays where it is.
    void zoom(const QPointF& place, double acrossFactor, double downFactor);
    /// Moves what is shown by shares of the view.
    void pan(const QPointF& shares);
    /// Moves what is shown so that the chain's current component is seen.
    void reveal();
    /// Shows a component with all in it.
    void focus(std::uint32_t node);
    /// Shows the crumb with this number; the first one is all.
    void focusCrumb(int number);
    /// Shows what the focus before showed.
    void back();

    void hover(const QPointF& place) { hoverNode(nodeAt(place)); }
    void hoverNode(std::optional<std::uint32_t> node);
    void leave();
    /// Holds the component at a place; beside all of them lets go.
    void click(const QPointF& place) { clickNode(nodeAt(place)); }
    void clickNode(std::optional<std::uint32_t> node);

signals:
    void optionsChanged();
    void viewChanged(); ///< other part of the tree
    /// Before viewChanged(): it is a focus that comes or goes; @p before is what was shown until now.
    void focusMoved(const pollard::IcicleRect& before);
    void crumbsChanged();
    void readoutChanged(); ///< perhaps

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
    void setHovered(std::optional<std::uint32_t> node);

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
    bool viewIsWhole_ = true; ///< whatever the tree
    std::shared_ptr<const IcicleFrame> frame_;
    std::vector<Focus> focus_; ///< each in the one before
    std::optional<std::uint32_t> hovered_;
    std::shared_ptr<IcicleMaker> maker_; ///< touched by the worker's thread only
    LatestWinsWorker worker_;            ///< last: its thread ends before the rest goes
};

} // namespace pollard::vm
