#include "attributes/attribute.hpp"

#include <algorithm>
#include <array>

namespace pollard {

namespace {

constexpr std::string_view kSize = "Size";
constexpr std::string_view kGreyLevels = "Grey levels";
constexpr std::string_view kShape = "Shape";
constexpr std::string_view kTopology = "Topology";
constexpr std::string_view kTree = "Tree";
constexpr std::string_view kProminence = "Prominence";

// In the order of AttributeId, by which attributeInfo() indexes.
constexpr std::array kAttributes{
    AttributeInfo{AttributeId::area, "area", "Area", "A = number of pixels of the component", "px", true, true, kSize,
                  "Vincent 1993"},
    AttributeInfo{AttributeId::width, "width", "Width", "w = columns of the bounding box", "px", true, true, kSize,
                  "Breen, Jones 1996"},
    AttributeInfo{AttributeId::heightPx, "height_px", "Height (box)", "h = rows of the bounding box", "px", true, true,
                  kSize, "Breen, Jones 1996"},
    AttributeInfo{AttributeId::bboxArea, "bbox_area", "Bounding box area", "w * h of the bounding box", "px", true,
                  true, kSize, "Breen, Jones 1996"},
    AttributeInfo{AttributeId::bboxDiagonal, "bbox_diagonal", "Bounding box diagonal",
                  "sqrt(w^2 + h^2) of the bounding box", "px", true, false, kSize, "Breen, Jones 1996"},
    AttributeInfo{AttributeId::border, "border", "Border pixels",
                  "number of the component's pixels in the first or last row or column of the image; 0 = does not "
                  "touch the border",
                  "px", true, true, kSize, "Pollard"},
    AttributeInfo{AttributeId::level, "level", "Level", "grey level of the node", "grey", false, true, kGreyLevels,
                  "Salembier, Oliveras, Garrido 1998"},
    AttributeInfo{AttributeId::contrast, "contrast", "Contrast", "|level - level of the parent| (root: 0)", "grey",
                  false, true, kGreyLevels, "Salembier, Oliveras, Garrido 1998"},
    AttributeInfo{AttributeId::height, "height", "Height (grey)",
                  "farthest grey level in the component - level of the parent (root: - its own level), as a distance",
                  "grey", true, true, kGreyLevels, "Najman, Couprie 2006"},
    AttributeInfo{AttributeId::dynamics, "dynamics", "Dynamics",
                  "largest height at which the component's highest maximum is still the highest (max-tree; min-tree: "
                  "lowest minimum); of equal ones the one with the smaller canonical pixel survives",
                  "grey", true, true, kProminence, "Grimaud 1992"},
    AttributeInfo{AttributeId::volume, "volume", "Volume",
                  "sum over the component of |f - level of the parent| (root: its own level)", "grey*px", true, true,
                  kGreyLevels, "Najman, Couprie 2006"},
    AttributeInfo{AttributeId::sum, "sum", "Sum of grey levels", "sum of f over the component", "grey", false, true,
                  kGreyLevels, "elementary"},
    AttributeInfo{AttributeId::mean, "mean", "Mean grey level", "mean of f over the component", "grey", false, false,
                  kGreyLevels, "elementary"},
    AttributeInfo{AttributeId::variance, "variance", "Variance",
                  "mean of (f - mean)^2 over the component (population variance)", "grey^2", false, false, kGreyLevels,
                  "elementary"},
    AttributeInfo{AttributeId::entropy, "entropy", "Entropy",
                  "- sum of p log2 p over 256 bins of f in the component; bins of equal width from the root's level to "
                  "the farthest level of the image, one level each where there are no more than 256",
                  "bit", false, false, kGreyLevels, "Shannon 1948"},
    AttributeInfo{AttributeId::centroidX, "centroid_x", "Centroid x",
                  "mean column of the pixels, pixel centres at 0, 1, 2 ...", "px", false, false, kShape, "Hu 1962"},
    AttributeInfo{AttributeId::centroidY, "centroid_y", "Centroid y",
                  "mean row of the pixels, pixel centres at 0, 1, 2 ..., downwards", "px", false, false, kShape,
                  "Hu 1962"},
    AttributeInfo{AttributeId::inertia, "inertia", "Inertia",
                  "(mu20 + mu02) / A^2 with central moments of unit squares: A/12 more than those of points; = Hu 1; "
                  "1/(2 pi) for a disc",
                  "", false, false, kShape, "Wilkinson, Westenberg 2001"},
    AttributeInfo{AttributeId::major, "major", "Major axis",
                  "4 sqrt(l1), l1 >= l2 the eigenvalues of the covariance of the pixels as unit squares (+ 1/12): "
                  "length of the ellipse of equal moments",
                  "px", false, false, kShape, "Teague 1980"},
    AttributeInfo{AttributeId::minor, "minor", "Minor axis",
                  "4 sqrt(l2), l1 >= l2 the eigenvalues of the covariance of the pixels as unit squares (+ 1/12): "
                  "width of the ellipse of equal moments",
                  "px", false, false, kShape, "Teague 1980"},
    AttributeInfo{AttributeId::elongation, "elongation", "Elongation",
                  "sqrt(l1 / l2) = major axis / minor axis, at least 1", "", false, false, kShape, "Teague 1980"},
    AttributeInfo{AttributeId::orientation, "orientation", "Orientation",
                  "atan2(2 mu11, mu20 - mu02) / 2 in (-pi/2, pi/2]: angle from the x axis to the major axis, positive "
                  "towards y, which points down (clockwise on the screen); 0 where both axes are equal",
                  "rad", false, false, kShape, "Teague 1980"},
    AttributeInfo{AttributeId::eccentricity, "eccentricity", "Eccentricity",
                  "sqrt(1 - l2 / l1) of the ellipse of equal moments: 0 for a disc, towards 1 for a line", "", false,
                  false, kShape, "Teague 1980"},
    AttributeInfo{AttributeId::hu1, "hu1", "Hu 1",
                  "n20 + n02, n_pq = mu_pq / A^(1 + (p + q)/2) of the pixels as unit squares", "", false, false, kShape,
                  "Hu 1962"},
    AttributeInfo{AttributeId::hu2, "hu2", "Hu 2", "(n20 - n02)^2 + 4 n11^2", "", false, false, kShape, "Hu 1962"},
    AttributeInfo{AttributeId::hu3, "hu3", "Hu 3", "a^2 + b^2, a = n30 - 3 n12, b = 3 n21 - n03", "", false, false,
                  kShape, "Hu 1962"},
    AttributeInfo{AttributeId::hu4, "hu4", "Hu 4", "c^2 + d^2, c = n30 + n12, d = n21 + n03", "", false, false, kShape,
                  "Hu 1962"},
    AttributeInfo{AttributeId::hu5, "hu5", "Hu 5", "a c (c^2 - 3 d^2) + b d (3 c^2 - d^2), a to d as in Hu 3 and 4", "",
                  false, false, kShape, "Hu 1962"},
    AttributeInfo{AttributeId::hu6, "hu6", "Hu 6", "(n20 - n02) (c^2 - d^2) + 4 n11 c d, c and d as in Hu 4", "", false,
                  false, kShape, "Hu 1962"},
    AttributeInfo{AttributeId::hu7, "hu7", "Hu 7",
                  "b c (c^2 - 3 d^2) - a d (3 c^2 - d^2), a to d as in Hu 3 and 4; changes sign in the mirror", "",
                  false, false, kShape, "Hu 1962"},
    AttributeInfo{AttributeId::perimeter, "perimeter", "Perimeter",
                  "P = number of pixel sides of the component towards other pixels or the outside of the image", "px",
                  false, true, kShape, "Rosenfeld, Kak 1982"},
    AttributeInfo{
        AttributeId::circularity, "circularity", "Circularity",
        "4 pi A / Pc^2 with Pc = P pi/4, the perimeter without the corners of the pixel grid: about 1 for a disc", "",
        false, false, kShape, "Cox 1927"},
    AttributeInfo{AttributeId::rectangularity, "rectangularity", "Rectangularity", "A / (w * h)", "", false, false,
                  kShape, "Rosin 1999"},
    AttributeInfo{AttributeId::euler, "euler", "Euler number",
                  "1 - number of holes, by bit quads; holes are joined by 8 neighbours in a 4-connected tree and by 4 "
                  "in an 8-connected one",
                  "", false, true, kTopology, "Gray 1971"},
    AttributeInfo{AttributeId::holes, "holes", "Holes",
                  "1 - Euler number: parts of the complement that the component encloses", "", false, true, kTopology,
                  "Gray 1971"},
    AttributeInfo{AttributeId::depth, "depth", "Depth", "number of edges from the root to the node (root: 0)", "",
                  false, true, kTree, "elementary"},
    AttributeInfo{AttributeId::children, "children", "Children", "number of nodes whose parent is the node", "", false,
                  true, kTree, "elementary"},
    AttributeInfo{AttributeId::descendants, "descendants", "Descendants", "number of nodes below the node", "", true,
                  true, kTree, "elementary"},
    AttributeInfo{AttributeId::leaves, "leaves", "Leaves",
                  "number of leaves in the component: regional maxima (max-tree) or minima (min-tree)", "", true, true,
                  kTree, "elementary"},
    AttributeInfo{AttributeId::stability, "stability", "Stability (MSER)",
                  "(A(anc) - A) / A, anc = the lowest ancestor within delta levels, delta = 5 (8 bit) or 5 * 257 (16 "
                  "bit); small = stable; undefined where the parent is farther away and for the root",
                  "", false, false, kProminence, "Matas, Chum, Urban, Pajdla 2002; Donoser, Bischof 2006"},
    AttributeInfo{AttributeId::extinctionArea, "extinction_area", "Extinction by area",
                  "area at which the component's dominating maximum (min-tree: minimum) meets one with a larger area; "
                  "at a tie the one with the smaller canonical pixel survives",
                  "px", true, true, kProminence, "Vachier, Meyer 1995"},
    AttributeInfo{AttributeId::extinctionVolume, "extinction_volume", "Extinction by volume",
                  "volume at which the component's dominating maximum (min-tree: minimum) meets one with a larger "
                  "volume; at a tie the one with the smaller canonical pixel survives",
                  "grey*px", true, true, kProminence, "Vachier, Meyer 1995"},
};

constexpr bool inOrderOfId() {
    for (std::size_t i = 0; i < kAttributes.size(); ++i) {
        if (static_cast<std::size_t>(kAttributes[i].id) != i) {
            return false;
        }
    }
    return true;
}
static_assert(inOrderOfId());

} // namespace

std::span<const AttributeInfo> allAttributes() noexcept { return kAttributes; }

const AttributeInfo& attributeInfo(AttributeId id) noexcept { return kAttributes[static_cast<std::size_t>(id)]; }

std::optional<AttributeId> findAttribute(std::string_view name) noexcept {
    const auto found = std::ranges::find(kAttributes, name, &AttributeInfo::name);
    return found == kAttributes.end() ? std::nullopt : std::optional(found->id);
}

} // namespace pollard
