#pragma once

#include "vm/base/latest_wins_worker.hpp"
#include "vm/document/job_types.hpp"
#include "vm/filter/criteria_model.hpp"
#include "vm/tree/analysis.hpp"

#include "analysis/attribute_plane.hpp"
#include "tree/node_set.hpp"

#include <QList>
#include <QPointF>
#include <QRectF>
#include <QString>

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace pollard::vm {

class ChainViewModel;
class DocumentViewModel;
class FilterViewModel;

/// The components of the present tree counted by two attributes at once. A rectangle brushed on the plane becomes two
/// criteria of the filter, a lasso a list of nodes, and the chain's current component has a mark.
///
/// Places run from 0 to 1 on both axes, y upwards. Nothing is counted while nobody looks (setActive()). Attributes come
/// from the document, which has its engine count them; what is asked about single nodes is found on a thread of its own
/// from data that does not change.
class AttributePlaneViewModel : public Analysis {
    Q_OBJECT

public:
    enum class State {
        empty,     ///< nothing is open, or nobody looks
        computing, ///< being measured or counted; the previous plane of the same tree and axes may still be shown
        ready,
        failed, ///< problem() says why
    };

    enum class Side { x, y };

    static constexpr std::uint32_t kColumns = 256; ///< at most; whole numbers may leave fewer
    static constexpr std::uint32_t kRows = 192;

    /// Cells with what they were counted from.
    struct Counted {
        AttributePlane plane;
        PlaneAxis x;
        PlaneAxis y;
        std::vector<std::uint64_t> columns; ///< nodes per bin of x
        std::vector<std::uint64_t> rows;    ///< nodes per bin of y
        std::uint32_t largest = 0;          ///< of the cells
        std::shared_ptr<const AttributeColumn> valuesX;
        std::shared_ptr<const AttributeColumn> valuesY;
    };

    /// Values from low to high, ends included.
    struct Range {
        double low = 0;
        double high = 0;

        bool operator==(const Range&) const = default;
    };
    struct Rectangle {
        Range x;
        Range y;

        bool operator==(const Rectangle&) const = default;
    };

    /// @param document,filter,chain must outlive this
    AttributePlaneViewModel(DocumentViewModel& document, FilterViewModel& filter, ChainViewModel& chain,
                            QObject* parent = nullptr);

    [[nodiscard]] State state() const noexcept { return state_; }
    [[nodiscard]] bool rests() const override { return state_ != State::computing; }
    [[nodiscard]] QString problem() const { return problem_; }
    [[nodiscard]] AttributeId attribute(Side side) const noexcept { return axis(side).attribute; }
    /// Equal ratios are equally long. Until it is chosen, where that suits the values.
    [[nodiscard]] bool isLogarithmic(Side side) const;
    /// There is a value above 0, so there can be a logarithmic axis.
    [[nodiscard]] bool canBeLogarithmic(Side side) const;
    /// What lies in the rectangle is removed, not kept.
    [[nodiscard]] bool isInverse() const noexcept { return inverse_; }

    /// What is shown; null if there is nothing.
    [[nodiscard]] std::shared_ptr<const Counted> counted() const noexcept { return counted_; }

    /// The rectangle that filters, in values of the attributes.
    [[nodiscard]] std::optional<Rectangle> rectangle() const noexcept { return rectangle_; }
    /// The same as places; left() and top() are the smaller ones.
    [[nodiscard]] std::optional<QRectF> rectanglePlaces() const;
    /// Nodes in the rectangle; nothing until counted.
    [[nodiscard]] std::optional<std::uint64_t> nodesInside() const noexcept { return inside_; }

    /// Where the chain's current component lies; nothing if there is none, or it has no place here.
    [[nodiscard]] std::optional<QPointF> markedPlace() const;

    /// 1 for cells of counted() that hold a selected component; null while none is selected, and until it is known.
    [[nodiscard]] std::shared_ptr<const std::vector<std::uint8_t>> selectedCells() const noexcept { return cells_; }

    /// What a cell holds: "area 32 to 35 px, height 12 grey: 1,234 components"; empty beside the plane.
    [[nodiscard]] QString readout(const QPointF& place) const;
    /// The rectangle in words, or what the plane holds where there is none.
    [[nodiscard]] QString summary() const;

public slots:
    /// The attribute of the other axis changes places with this one's.
    void setAttribute(pollard::vm::AttributePlaneViewModel::Side side, pollard::AttributeId id);
    void setLogarithmic(pollard::vm::AttributePlaneViewModel::Side side, bool logarithmic);
    /// x becomes y; the rectangle goes along.
    void swapAxes();
    void setInverse(bool inverse);
    /// Components of the present tree that are shown as selected.
    void setSelected(const std::shared_ptr<const pollard::NodeSet>& nodes);

    /// Makes the cells that these places touch the rectangle, and its ranges criteria of the filter: all have to be
    /// met, and other criteria that all had to be met stay. What is removed instead of kept (setInverse()) replaces all
    /// criteria, since the parts around a rectangle are joined by "any". Live or on Apply, as the filter is.
    void brush(const QRectF& places);
    /// Moves the rectangle's sides to the edges between cells that are nearest to these places.
    void reshape(const QRectF& places);
    /// Moves the rectangle, or its upper right corner, by so many cells, within the plane.
    void moveBy(int columns, int rows);
    void resizeBy(int columns, int rows);
    /// No rectangle: the criteria become those from before it.
    void clear();
    /// Finds the nodes inside a polygon of places; ends with nodesChosen().
    void choose(const QList<QPointF>& polygon);

signals:
    void axesChanged(); ///< attributes or scales
    void inverseChanged();
    void rectangleChanged(); ///< or there is none
    void insideCounted();    ///< nodesInside() is known, some time after rectangleChanged()
    void markChanged();
    void selectedCellsChanged();
    /// Numbers of nodes of the present tree, ascending.
    void nodesChosen(const std::shared_ptr<const std::vector<std::uint32_t>>& nodes);

private:
    void onActive() override { update(); }
    struct Axis {
        AttributeId attribute = AttributeId::area;
        std::optional<bool> logarithmic; ///< as chosen
    };
    /// First and last bin of both axes.
    struct Cells {
        std::array<int, 2> x{};
        std::array<int, 2> y{};
    };

    /// A rectangle that was there, and the criteria that it made.
    struct Remembered {
        CriteriaModel::State applied;
        CriteriaModel::State before;
        Rectangle rectangle;
        AttributeId x = AttributeId::area;
        AttributeId y = AttributeId::area;
        int rowX = -1;
        int rowY = -1;
        bool inverse = false;
    };

    [[nodiscard]] const Axis& axis(Side side) const noexcept { return side == Side::x ? axes_.first : axes_.second; }
    [[nodiscard]] Axis& axis(Side side) noexcept { return side == Side::x ? axes_.first : axes_.second; }
    [[nodiscard]] Cells cellsOf(const QRectF& places) const;
    [[nodiscard]] Cells cellsOf(const Rectangle& rectangle) const;
    [[nodiscard]] Rectangle rectangleOf(const Cells& cells) const;
    void take(const Cells& cells);
    void onTree();
    void onCriteria();
    void update();
    void post();
    void onCounted(const std::shared_ptr<const PlaneRequest>& request,
                   const std::shared_ptr<const AttributePlane>& plane, const QString& problem);
    void show(State state, std::shared_ptr<const Counted> counted);
    /// The filter stays as it is; the plane has no rectangle any more.
    void letGo();
    void applyRectangle();
    void remember();
    /// Shows the rectangle again that made these criteria, if there is one.
    bool recall(const CriteriaModel::State& criteria);
    /// The rectangle as its criteria demand it of the present tree.
    [[nodiscard]] Rectangle demanded() const;
    /// At once where the rectangle is made of cells, else from the values.
    void countInside();
    void findSelected();
    void setCriteria(const CriteriaModel::State& state);

    DocumentViewModel& document_;
    FilterViewModel& filter_;
    ChainViewModel& chain_;
    State state_ = State::empty;
    QString problem_;
    std::pair<Axis, Axis> axes_{{AttributeId::area, {}}, {AttributeId::height, {}}};
    bool inverse_ = false;
    bool waiting_ = false;                        ///< for columns of the document
    std::shared_ptr<const PlaneRequest> request_; ///< that was posted; null if none is under way
    std::shared_ptr<const Counted> counted_;
    std::optional<Rectangle> rectangle_;
    std::optional<std::uint64_t> inside_;
    std::shared_ptr<const NodeSet> selected_;
    std::shared_ptr<const std::vector<std::uint8_t>> cells_; ///< that hold one of selected_
    CriteriaModel::State before_;                            ///< criteria without the rectangle
    CriteriaModel::State applied_;                           ///< with it
    int rowX_ = -1; ///< of the criterion that is the rectangle's side; -1 if there is no single one
    int rowY_ = -1;
    std::deque<Remembered> remembered_; ///< the latest last
    bool applying_ = false;
    LatestWinsWorker worker_; ///< last: its thread ends before the rest goes
};

} // namespace pollard::vm
