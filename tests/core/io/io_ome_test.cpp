#include "io/metadata/fact_text.hpp"
#include "io/metadata/imagej_description.hpp"
#include "io/metadata/length_units.hpp"
#include "io/metadata/ome_xml.hpp"
#include "io/metadata/scene_description.hpp"
#include "io/page_selection.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <gmock/gmock.h>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pollard::test {

namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

/// A document with the attributes and children of its Pixels element.
std::string omeXml(const std::string& attributes, const std::string& children = "<TiffData/>") {
    return R"(<?xml version="1.0" encoding="UTF-8"?><!-- made by a test -->
<OME xmlns="http://www.openmicroscopy.org/Schemas/OME/2016-06"><Image ID="Image:0" Name="cells">
<AcquisitionDate>2020-01-02T03:04:05</AcquisitionDate><Pixels ID="Pixels:0" Type="uint8" SizeX="4" SizeY="4" )" +
           attributes + ">" + children + "</Pixels></Image></OME>";
}

ImageInfo describedOme(int pages, const std::string& xml) {
    ImageInfo info;
    info.pages = pages;
    describeOmeXml(xml, info);
    return info;
}

ImageInfo describedImageJ(int pages, const std::string& text, double resolution = 0) {
    ImageInfo info;
    info.pages = pages;
    describeImageJ(text, resolution, resolution, info);
    return info;
}

std::string axesText(const ImageInfo& info) {
    std::string text;
    for (const StackAxis& axis : info.axes) {
        text += axis.name + std::to_string(axis.count);
        for (const std::string& label : axis.labels) {
            text += "," + label;
        }
        text += " ";
    }
    return text;
}

std::string textOf(const std::optional<CopiedTag>& tag) {
    return tag ? reinterpret_cast<const char*>(tag->data.data()) : std::string("none");
}

TEST(SceneDescription, IsReadBackAsItWas) {
    const SceneDescription scene{PixelSize{0.325, 1.0 / 3, "µm", "OME-XML", false, 1.7},
                                 "",
                                 {{'z', 4, {}}, {'c', 3, {"DAPI", "GFP <2>", "Cy5 & \"red\""}}, {'t', 2, {}}}};
    const auto tag = imageDescription(scene, {ValueType::u16, 1, 40, 30, 24});
    ASSERT_TRUE(tag);
    EXPECT_EQ(tag->tag, 270);
    EXPECT_EQ(tag->count, tag->data.size());
    const std::string text = textOf(tag);
    EXPECT_EQ(text.size() + 1, tag->data.size());
    EXPECT_TRUE(isOmeXml(text));
    EXPECT_THAT(text, HasSubstr("Type=\"uint16\" SizeX=\"40\" SizeY=\"30\" SizeC=\"3\" SizeZ=\"4\" SizeT=\"2\""));
    EXPECT_THAT(text, HasSubstr("PhysicalSizeX=\"0.325\"")) << "the shortest digits";
    const ImageInfo back = describedOme(24, text);
    EXPECT_EQ(back.axes, scene.axes);
    EXPECT_EQ(back.pixelSize, scene.pixelSize);
    EXPECT_THAT(back.notes, IsEmpty());
}

TEST(SceneDescription, IsNotMadeUpWherePagesHaveNoMeaning) {
    SceneDescription scene;
    const WrittenPages six{ValueType::u8, 1, 4, 4, 6};
    EXPECT_FALSE(imageDescription(scene, six));
    scene.axes = {{'p', 6, {}}};
    EXPECT_FALSE(imageDescription(scene, six));
    scene.axes = {{'z', 3, {}}};
    EXPECT_FALSE(imageDescription(scene, six)) << "three positions are not six pages";
    scene.axes = {{'z', 3, {}}, {'t', 2, {}}};
    EXPECT_THAT(textOf(imageDescription(scene, six)), ::testing::Not(HasSubstr("PhysicalSize")));
    EXPECT_FALSE(imageDescription({}, {ValueType::u8, 1, 4, 4, 1})) << "nothing to say";
    SceneDescription named;
    named.channel = "DAPI";
    EXPECT_THAT(textOf(imageDescription(named, {ValueType::u32, 1, 4, 4, 1})), HasSubstr("channel=DAPI\n"));
    named.wantsOme = true;
    EXPECT_THAT(textOf(imageDescription(named, {ValueType::u32, 1, 4, 4, 1})),
                ::testing::AllOf(HasSubstr("Name=\"DAPI\""), HasSubstr("Type=\"uint32\"")));
}

TEST(SceneDescription, OfPagesWithoutMeaningCountsNone) {
    const SceneDescription scene{PixelSize{100, 50, "µm", "", false, 2}, "", {}};
    const std::string text = textOf(imageDescription(scene, {ValueType::u8, 1, 4, 4, 6}));
    EXPECT_TRUE(isImageJ(text));
    const ImageInfo back = describedImageJ(6, text, 0.01); // px per µm
    EXPECT_THAT(back.axes, IsEmpty());
    EXPECT_THAT(back.notes, IsEmpty());
    EXPECT_EQ(back.pixelSize, (PixelSize{100, 100, "µm", "ImageJ", false, 2}));
}

TEST(SceneDescription, KeepsAnglesAngles) {
    for (const char* unit : {"arcsec", "°"}) {
        const SceneDescription scene{
            PixelSize{0.25, 0.25, unit, "FITS WCS", false, 3}, "", {{'z', 2, {}}, {'t', 3, {}}}};
        const std::string text = textOf(imageDescription(scene, {ValueType::u16, 1, 4, 4, 6}));
        EXPECT_TRUE(isImageJ(text));
        const ImageInfo back = describedImageJ(6, text, 4);
        EXPECT_EQ(back.pixelSize, (PixelSize{0.25, 0.25, unit, "ImageJ", false, 3}));
        EXPECT_EQ(back.axes, scene.axes);
        EXPECT_THAT(back.notes, IsEmpty());
    }
    const SceneDescription hostile{PixelSize{1, 1, "a\nimages=9", "", false}, "", {}};
    EXPECT_FALSE(imageDescription(hostile, {ValueType::u8, 1, 4, 4, 1}));
}

TEST(SceneDescription, KeepsMetresMetres) {
    const SceneDescription scene{PixelSize{30, 30.5, "m", "by hand", false, 2}, "", {}};
    const ImageInfo imageJ = describedImageJ(1, textOf(imageDescription(scene, {ValueType::u8, 1, 4, 4, 1})), 1 / 30.);
    EXPECT_EQ(imageJ.pixelSize, (PixelSize{30, 30, "m", "ImageJ", false, 2}));
    SceneDescription ome = scene;
    ome.wantsOme = true;
    const ImageInfo back = describedOme(1, textOf(imageDescription(ome, {ValueType::u8, 1, 4, 4, 1})));
    EXPECT_EQ(back.pixelSize, (PixelSize{30, 30.5, "m", "OME-XML", false, 2}));
}

/// The block of ImageJ with one part of each kind given.
struct ImageJBlock {
    std::string bytes;
    std::vector<std::uint32_t> sizes;

    explicit ImageJBlock(const std::vector<std::u16string>& labels, bool bigEndian) : bigEndian_(bigEndian) {
        number(0x494a494a, 4);
        number(0x696e666f, 4); // "info", to be skipped
        number(1, 4);
        number(0x6c61626c, 4); // "labl"
        number(static_cast<std::uint32_t>(labels.size()), 4);
        sizes.push_back(static_cast<std::uint32_t>(bytes.size()));
        add(u"some words");
        for (const std::u16string& label : labels) {
            add(label);
        }
    }
    [[nodiscard]] std::vector<std::string> read() const { return readFirst(bytes.size()); }
    [[nodiscard]] std::vector<std::string> readFirst(std::size_t count) const {
        return imageJMetadata({reinterpret_cast<const std::uint8_t*>(bytes.data()), count}, sizes, bigEndian_).labels;
    }

private:
    void number(std::uint32_t value, std::size_t width) {
        for (std::size_t i = 0; i < width; ++i) {
            bytes += static_cast<char>(value >> 8 * (bigEndian_ ? width - 1 - i : i));
        }
    }
    void add(const std::u16string& text) {
        for (const char16_t c : text) {
            number(c, 2);
        }
        sizes.push_back(static_cast<std::uint32_t>(2 * text.size()));
    }
    bool bigEndian_;
};

TEST(ImageJLabels, AreReadInBothByteOrders) {
    for (const bool bigEndian : {false, true}) {
        const ImageJBlock block({u"DAPI", u"Grün µ", u"\U0001F52C"}, bigEndian);
        EXPECT_THAT(block.read(), ElementsAre("DAPI", "Grün µ", "\U0001F52C"));
    }
    EXPECT_THAT(ImageJBlock({std::u16string(1, char16_t{0xd800})}, true).read(), ElementsAre("\uFFFD"));
}

TEST(ImageJLabels, OfDamagedBlocksAreNone) {
    ImageJBlock block({u"DAPI", u"GFP"}, true);
    for (std::size_t length = 0; length < block.bytes.size(); ++length) {
        EXPECT_THAT(block.readFirst(length), IsEmpty()) << length;
    }
    for (const std::uint32_t size : {0xffffffffU, 0x80000000U, 3U}) {
        ImageJBlock wrong = block;
        wrong.sizes[0] = size;
        EXPECT_THAT(wrong.read(), IsEmpty());
    }
    ImageJBlock many = block;
    many.bytes[16] = '\x7f'; // 2e9 labels
    EXPECT_THAT(many.read(), IsEmpty());
    many.sizes.clear();
    EXPECT_THAT(many.read(), IsEmpty());
}

TEST(ImageJLabels, NameChannelsIfAllPagesOfAChannelAgree) {
    const auto axes = [](const std::string& counts, const std::vector<std::string>& labels) {
        ImageInfo info = describedImageJ(static_cast<int>(labels.size()), "ImageJ=1.53t\n" + counts);
        describeImageJChannels("", {labels, {}, {}}, info);
        return axesText(info);
    };
    EXPECT_EQ(axes("channels=2\n", {"DAPI", "GFP"}), "c2,DAPI,GFP ");
    EXPECT_EQ(axes("channels=2\nframes=2\n", {"DAPI", "GFP", "DAPI", "GFP"}), "c2,DAPI,GFP t2 ");
    EXPECT_EQ(axes("channels=2\nframes=2\n", {"DAPI 1", "GFP 1", "DAPI 2", "GFP 2"}), "c2 t2 ");
    EXPECT_EQ(axes("slices=2\n", {"top", "bottom"}), "z2 ");
    EXPECT_EQ(axes("channels=2\n", {"DAPI", ""}), "c2 ");
}

TEST(OmeXml, IsRecognisedByItsRoot) {
    EXPECT_TRUE(isOmeXml(omeXml("")));
    EXPECT_TRUE(isOmeXml("<OME>"));
    EXPECT_TRUE(isOmeXml("<OME:OME xmlns:OME=\"a\">"));
    EXPECT_FALSE(isOmeXml("<GDAL><OME/></GDAL>"));
    EXPECT_FALSE(isOmeXml("OME"));
    EXPECT_FALSE(isOmeXml(""));
    EXPECT_FALSE(isOmeXml("<"));
}

TEST(OmeXml, GivesPixelSizeInMicrometres) {
    const auto size = [](const std::string& attributes) { return describedOme(1, omeXml(attributes)).pixelSize; };
    EXPECT_EQ(size(R"(PhysicalSizeX="0.25" PhysicalSizeY="0.5")"), (PixelSize{0.25, 0.5, "µm", "OME-XML", false}));
    const auto nm = size(R"(PhysicalSizeX="65" PhysicalSizeXUnit="nm" PhysicalSizeY="0.065" PhysicalSizeYUnit="µm")");
    ASSERT_TRUE(nm);
    EXPECT_DOUBLE_EQ(nm->x, 0.065);
    EXPECT_DOUBLE_EQ(nm->y, 0.065);
    EXPECT_FALSE(size(R"(PhysicalSizeX="1" PhysicalSizeXUnit="pixel" PhysicalSizeY="1" PhysicalSizeYUnit="pixel")"));
    EXPECT_FALSE(size(R"(PhysicalSizeX="0" PhysicalSizeY="1")"));
    EXPECT_FALSE(size(R"(PhysicalSizeX="-3" PhysicalSizeY="nan")"));
    EXPECT_FALSE(size(R"(PhysicalSizeX="1e999" PhysicalSizeY="1e999")"));
    EXPECT_FALSE(size(""));
    EXPECT_EQ(size(R"(PhysicalSizeX="1" PhysicalSizeY="1" PhysicalSizeZ="1.5" PhysicalSizeZUnit="mm")"),
              (PixelSize{1, 1, "µm", "OME-XML", false, 1500}));
}

TEST(OmeXml, TellsTheOneChannel) {
    EXPECT_THAT(describedOme(1, omeXml("", R"(<Channel ID="c0" Name="DAPI"/><TiffData/>)")).facts,
                ::testing::Contains(Pair(kChannelFact, "DAPI")));
}

TEST(OmeXml, CountsPagesInTheOrderOfTheFile) {
    const std::string channels = R"(<Channel ID="c0" Name="DAPI"/><Channel ID="c1" Name="GFP"/><TiffData/>)";
    const auto axes = [&](const std::string& order, int pages = 24) {
        return axesText(
            describedOme(pages, omeXml("DimensionOrder=\"" + order + R"(" SizeC="2" SizeZ="3" SizeT="4")", channels)));
    };
    EXPECT_EQ(axes("XYCZT"), "c2,DAPI,GFP z3 t4 ");
    EXPECT_EQ(axes("XYCTZ"), "c2,DAPI,GFP t4 z3 ");
    EXPECT_EQ(axes("XYZCT"), "z3 c2,DAPI,GFP t4 ");
    EXPECT_EQ(axes("XYZTC"), "z3 t4 c2,DAPI,GFP ");
    EXPECT_EQ(axes("XYTCZ"), "t4 c2,DAPI,GFP z3 ");
    EXPECT_EQ(axes("XYTZC"), "t4 z3 c2,DAPI,GFP ");
    EXPECT_EQ(axes("XYCZT", 25), "") << "more pages than planes";
    EXPECT_EQ(axesText(describedOme(3, omeXml(R"(DimensionOrder="XYCZT" SizeC="1" SizeZ="3" SizeT="1")"))), "z3 ");
}

TEST(OmeXml, TakesTheOrderOfTheBlocksIfItIsAnother) {
    // Two channels and three planes in z, stored by channel, although DimensionOrder differs.
    std::string blocks;
    for (int ifd = 0; ifd < 6; ++ifd) {
        blocks += "<TiffData IFD=\"" + std::to_string(ifd) + "\" FirstC=\"" + std::to_string(ifd / 3) + "\" FirstZ=\"" +
                  std::to_string(ifd % 3) + "\" FirstT=\"0\" PlaneCount=\"1\"/>";
    }
    const std::string sizes = R"(DimensionOrder="XYCZT" SizeC="2" SizeZ="3" SizeT="1")";
    EXPECT_EQ(axesText(describedOme(6, omeXml(sizes, blocks))), "z3 c2 ");

    // Runs of planes by channel, with an order of the dimensions that contradicts them.
    EXPECT_EQ(axesText(describedOme(6, omeXml(sizes, R"(<TiffData IFD="0" PlaneCount="3"/>
                                                        <TiffData IFD="3" FirstC="1" PlaneCount="3"/>)"))),
              "z3 c2 ");
}

/// The directory of each page, "-" for pages without a place; of pages in other files with the name of the file.
std::string placesText(const StackPlaces& places) {
    std::string text;
    for (const PagePlace& page : places.pages) {
        text += (text.empty() ? "" : " ") + places.files[page.file] +
                (page.isStored() ? std::to_string(page.directory) : std::string("-"));
    }
    return text;
}

TEST(OmeXml, PlacesThePlanesOfItsBlocks) {
    const auto placed = [](int pages, const std::string& sizes, const std::string& blocks) {
        ImageInfo info;
        info.pages = pages;
        const StackPlaces places = describeOmeXml(omeXml(sizes, blocks), info);
        return axesText(info) + std::to_string(info.pages) + ": " + placesText(places) +
               (info.notes.empty() ? "" : "; " + info.notes.front());
    };
    const std::string sizes = R"(DimensionOrder="XYCZT" SizeC="2" SizeZ="3" SizeT="1")";
    EXPECT_EQ(placed(3, R"(DimensionOrder="XYZCT" SizeZ="3")",
                     R"(<TiffData IFD="0" FirstZ="1"/><TiffData IFD="1"/><TiffData IFD="2" FirstZ="2"/>)"),
              "z3 3: 1 0 2");
    EXPECT_EQ(placed(6, sizes, R"(<TiffData IFD="3"/><TiffData IFD="0" FirstZ="1"/>)"),
              "c2 z2 4: 3 - 0 -; OME-XML: 6 planes are planned (2 channels x 3 z), 2 are stored");
    // Runs along the order of the dimensions, the second one before the first in the file.
    EXPECT_EQ(placed(6, sizes, R"(<TiffData IFD="4" PlaneCount="2"/><TiffData IFD="0" FirstZ="1" PlaneCount="4"/>)"),
              "c2 z3 6: 4 5 0 1 2 3");
    EXPECT_EQ(placed(4, sizes, "<TiffData/>"),
              "c2 z2 4: ; OME-XML: 6 planes are planned (2 channels x 3 z), 4 are stored")
        << "an acquisition that ended after a slice";
    EXPECT_EQ(placed(3, sizes, "<TiffData/>"),
              "c2 z2 4: 0 1 2 -; OME-XML: 6 planes are planned (2 channels x 3 z), 3 are stored")
        << "and amid a slice";
    EXPECT_EQ(placed(8, sizes, R"(<TiffData IFD="2" PlaneCount="6"/>)"), "c2 z3 6: 2 3 4 5 6 7")
        << "pages that the description does not name";
    EXPECT_EQ(placed(2, sizes, R"(<TiffData IFD="7"/><TiffData IFD="18446744073709551615" FirstC="1"/>
                                  <TiffData FirstC="9"/><TiffData IFD="1" PlaneCount="18446744073709551615"/>)"),
              "c2 2: 1 -; OME-XML: 6 planes are planned (2 channels x 3 z), 1 is stored")
        << "outside the file and the image";
    EXPECT_EQ(placed(3, sizes, R"(<TiffData IFD="0"/><TiffData IFD="1"/>)"),
              "3: ; OME-XML: two blocks of the description place the same plane; pages are counted as stored");
}

TEST(OmeXml, PutsImagesOfOneSizeOneAfterAnother) {
    const auto image = [](int first, int z) {
        return "<Image><Pixels SizeX=\"4\" SizeY=\"4\" SizeZ=\"" + std::to_string(z) + "\"><TiffData IFD=\"" +
               std::to_string(first) + "\" PlaneCount=\"" + std::to_string(z) + "\"/></Pixels></Image>";
    };
    EXPECT_EQ(axesText(describedOme(6, "<OME>" + image(0, 3) + image(3, 3) + "</OME>")), "z3 p2 ");
    std::string named = "<OME>" + image(0, 3) + image(3, 3) + "</OME>";
    named.replace(named.rfind("<Image>"), 7, "<Image Name=\"right\">");
    EXPECT_EQ(axesText(describedOme(6, named)), "z3 p2,,right ") << "the first one has no name";
    const ImageInfo mixed = describedOme(5, "<OME>" + image(0, 3) + image(3, 2) + "</OME>");
    EXPECT_THAT(mixed.axes, IsEmpty());
    EXPECT_EQ(unclearOrder(mixed), "OME-XML: 2 images of different sizes in one file");
}

TEST(OmeXml, CountsPixelsOfSeveralSamplesOnce) {
    const ImageInfo info =
        describedOme(4, omeXml(R"(SizeC="3" SizeZ="4" SizeT="1")", R"(<Channel SamplesPerPixel="3"/><TiffData/>)"));
    EXPECT_EQ(axesText(info), "z4 ");
    EXPECT_THAT(info.notes, IsEmpty());
}

TEST(OmeXml, SaysWhyPagesHaveNoMeaning) {
    const auto note = [](int pages, const std::string& xml) {
        const ImageInfo info = describedOme(pages, xml);
        EXPECT_THAT(info.axes, IsEmpty());
        return info.notes.size() == 1 ? info.notes[0] : "no single note";
    };
    EXPECT_THAT(note(5, omeXml(R"(SizeC="2" SizeZ="2" SizeT="1")")),
                HasSubstr("2 channels x 2 z x 1 times are not the 5 pages"));
    EXPECT_THAT(note(2, omeXml(R"(SizeC="0" SizeZ="2" SizeT="1")")), HasSubstr("make no sense"));
    EXPECT_THAT(note(2, omeXml(R"(SizeC="99999999999999999999" SizeZ="99999999999" SizeT="9999999999")")),
                HasSubstr("make no sense"));
    EXPECT_THAT(note(2, omeXml(R"(SizeC="2" SizeZ="1" SizeT="1")",
                               R"(<TiffData><UUID FileName="a.tif">1</UUID></TiffData>
                                  <TiffData FirstC="1"><UUID FileName="b.tif">2</UUID></TiffData>)")),
                HasSubstr("several files"));
    EXPECT_THAT(note(2, "<OME><Image><Pixels SizeC=\"1\"/></Image><Image/></OME>"), HasSubstr("2 images"));
    EXPECT_THAT(note(2, "<OME><BinaryOnly MetadataFile=\"a\"/></OME>"), HasSubstr("another file"));
    EXPECT_THAT(note(2, "<OME/>"), HasSubstr("no image"));
    EXPECT_THAT(note(2, "<OME><Image></OME>"), HasSubstr("damaged"));
}

TEST(OmeXml, AddsFacts) {
    const ImageInfo info = describedOme(1, omeXml(R"(PhysicalSizeZ="0.5" TimeIncrement="2" TimeIncrementUnit="min")"));
    EXPECT_THAT(info.facts, ElementsAre(Pair("Image name", "cells"), Pair("Acquired", "2020-01-02T03:04:05"),
                                        Pair("Distance in z", "0.5 µm"), Pair("Time step", "2 min")));
}

/// Distance of times as described: "2 min"; "none" if it is not stated.
std::string timeStepText(const ImageInfo& info) {
    const auto axis = std::ranges::find(info.axes, 't', &StackAxis::name);
    return axis == info.axes.end() || axis->step == 0 ? "none" : factNumber(axis->step) + " " + axis->unit;
}

TEST(OmeXml, StatesTheDistanceOfEvenTimes) {
    const auto stated = [](const std::string& attributes, const std::string& planes = {}) {
        return timeStepText(describedOme(3, omeXml("SizeT=\"3\" " + attributes, "<TiffData/>" + planes)));
    };
    const auto planes = [](const char* first, const char* second, const char* third, const std::string& unit = {}) {
        std::string text;
        for (const auto& [t, delta] : {std::pair("0", first), {"1", second}, {"2", third}}) {
            text +=
                std::string("<Plane TheC=\"0\" TheZ=\"0\" TheT=\"") + t + "\" DeltaT=\"" + delta + "\" " + unit + "/>";
        }
        return text;
    };
    EXPECT_EQ(stated(R"(TimeIncrement="2" TimeIncrementUnit="min")"), "2 min");
    EXPECT_EQ(stated(R"(TimeIncrement="0.5")"), "0.5 s");
    EXPECT_EQ(stated(R"(TimeIncrement="2" TimeIncrementUnit="frames")"), "none");
    EXPECT_EQ(stated(R"(TimeIncrement="-2")"), "none");
    EXPECT_EQ(stated(R"(TimeIncrement="nan")"), "none");
    EXPECT_EQ(stated(""), "none");
    EXPECT_EQ(stated("", planes("10", "15.02", "20")), "5 s") << "within a hundredth";
    EXPECT_EQ(stated("", planes("0", "500", "1000", R"(DeltaTUnit="ms")")), "0.5 s");
    EXPECT_EQ(stated("", planes("10", "15.2", "20")), "none") << "uneven";
    EXPECT_EQ(stated("", planes("10", "10", "10")), "none");
    EXPECT_EQ(stated("", planes("10", "", "20")), "none");
    EXPECT_EQ(stated(R"(TimeIncrement="2")", planes("10", "15", "20")), "2 s");
}

TEST(OmeXml, WritesTheDistanceOfTimes) {
    SceneDescription scene;
    scene.wantsOme = true;
    scene.axes = {{'c', 2, {}}, {'t', 3, {}, 0.1, "min"}};
    const auto tag = imageDescription(scene, {ValueType::u8, 1, 4, 4, 6});
    ASSERT_TRUE(tag);
    const ImageInfo back = describedOme(6, textOf(tag));
    EXPECT_EQ(timeStepText(back), "0.1 min");
    // 6, 12, 18 s, not 18.000000000000004.
    EXPECT_EQ(distanceOn('t', 3, back), 18.0);
    EXPECT_EQ(distanceOn('c', 1, back), std::nullopt);
}

TEST(OmeXml, IsHarmlessWhenHostile) {
    const auto start = std::chrono::steady_clock::now();
    // Entities that expand a thousandfold each, or name a file.
    const std::string entities = R"(<?xml version="1.0"?><!DOCTYPE OME [<!ENTITY a "xxxxxxxxxx">
        <!ENTITY b "&a;&a;&a;&a;"><!ENTITY f SYSTEM "file:///etc/hostname">]>
        <OME><Image Name="&b;&f;"><Pixels SizeC="1" SizeZ="1" SizeT="1"/></Image></OME>)";
    const ImageInfo info = describedOme(1, entities);
    EXPECT_THAT(info.facts, ElementsAre(Pair("Image name", "&b;&f;")));

    std::string deep = "<OME>";
    for (int i = 0; i < 1000000; ++i) {
        deep += "<a>";
    }
    EXPECT_THAT(describedOme(1, deep).notes, ElementsAre(HasSubstr("damaged")));
    for (int i = 0; i < 1000000; ++i) {
        deep += "</a>";
    }
    EXPECT_THAT(describedOme(1, deep + "</OME>").notes, ElementsAre(HasSubstr("no image")));
    EXPECT_THAT(describedOme(1, "<OME>" + std::string(65 << 20, ' ') + "</OME>").notes,
                ElementsAre(HasSubstr("64 MiB")));

    std::string blocks;
    for (int i = 0; i < 200'000; ++i) {
        blocks += "<TiffData/>";
    }
    EXPECT_EQ(axesText(describedOme(65536, omeXml(R"(SizeZ="65536")", blocks))), "z65536 ");

    const std::string whole = omeXml(R"(SizeC="2" SizeZ="2" SizeT="1")", "<Channel Name=\"\x01\xff&#0;\"/><TiffData/>");
    for (std::size_t length = 0; length <= whole.size(); ++length) {
        (void)describedOme(4, whole.substr(0, length));
        (void)isOmeXml(whole.substr(0, length));
    }
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
}

TEST(ImageJ, CountsChannelsThenSlicesThenFrames) {
    EXPECT_TRUE(isImageJ("ImageJ=1.53t\nimages=6\n"));
    EXPECT_FALSE(isImageJ("made by ImageJ=1"));
    EXPECT_EQ(axesText(describedImageJ(24, "ImageJ=1.53t\nimages=24\nchannels=2\nslices=3\nframes=4\n")), "c2 z3 t4 ");
    EXPECT_EQ(axesText(describedImageJ(3, "ImageJ=1.53t\nimages=3\nslices=3\nloop=false\n")), "z3 ");
    EXPECT_EQ(axesText(describedImageJ(5, "ImageJ=1.53t\nimages=5\nframes=5\n")), "t5 ");
    EXPECT_EQ(axesText(describedImageJ(5, "ImageJ=1.20\nimages=5\n")), "z5 ");
    EXPECT_EQ(axesText(describedImageJ(6, "ImageJ=1.53t\nimages=6\nchannels=2\nslices=3\norder=zct\n")), "z3 c2 ");
    const ImageInfo wrong = describedImageJ(7, "ImageJ=1\nimages=7\nchannels=2\nslices=3\n");
    EXPECT_THAT(wrong.axes, IsEmpty());
    EXPECT_EQ(unclearOrder(wrong), "ImageJ: 2 channels x 3 z x 1 times are not the 7 pages of the file");
    const ImageInfo stopped = describedImageJ(5, "ImageJ=1\nimages=12\nchannels=2\nslices=2\nframes=3\n");
    EXPECT_EQ(axesText(stopped), "c2 z2 t2 ");
    EXPECT_EQ(stopped.pages, 8);
    EXPECT_THAT(stopped.notes, ElementsAre(HasSubstr("12 planes are planned (2 channels x 2 z x 3 times), 5 are")));
    EXPECT_THAT(describedImageJ(1, "ImageJ=1\nimages=600\nslices=600\n").notes,
                ElementsAre(HasSubstr("600 planes are planned (600 z), 1 is stored")));
    for (const char* bad : {"0", "-1", "4294967295", "99999999999", "x", "2x"}) {
        const std::string text = std::string("ImageJ=1\nchannels=") + bad + "\nslices=4294967295\nframes=4294967295\n";
        EXPECT_THAT(describedImageJ(4, text).axes, IsEmpty()) << bad;
    }
}

TEST(ImageJ, GivesPixelSizeFromItsUnit) {
    const auto size = [](const std::string& unit, double resolution = 4) {
        return describedImageJ(1, "ImageJ=1.53t\nunit=" + unit + "\nspacing=0.5\n", resolution).pixelSize;
    };
    for (const char* unit : {"micron", "um", "µm", "\\u00B5m", "\xb5m"}) {
        EXPECT_EQ(size(unit), (PixelSize{0.25, 0.25, "µm", "ImageJ", false, 0.5})) << unit;
    }
    EXPECT_EQ(size("nm", 0.01), (PixelSize{0.1, 0.1, "µm", "ImageJ", false, 0.0005}));
    EXPECT_EQ(size("arcsec"), (PixelSize{0.25, 0.25, "arcsec", "ImageJ", false, 0.5}));
    EXPECT_EQ(size("deg"), (PixelSize{0.25, 0.25, "°", "ImageJ", false, 0.5}));
    EXPECT_FALSE(size("pixel"));
    EXPECT_FALSE(size("micron", 0));
    EXPECT_THAT(
        describedImageJ(1, "ImageJ=1.53t\nunit=micron\nspacing=0.5\nfinterval=2.5\n").facts,
        ElementsAre(Pair("Written by", "ImageJ 1.53t"), Pair("Distance in z", "0.5 µm"), Pair("Time step", "2.5 s")));
}

TEST(ImageJ, StatesTheDistanceOfTimes) {
    EXPECT_EQ(timeStepText(describedImageJ(6, "ImageJ=1.53t\nimages=6\nslices=2\nframes=3\nfinterval=2.5\n")), "2.5 s");
    EXPECT_EQ(timeStepText(describedImageJ(6, "ImageJ=1.53t\nimages=6\nslices=2\nframes=3\nfinterval=0\n")), "none");
}

TEST(LengthUnits, KnowTimes) {
    EXPECT_EQ(secondsOf("millisecond"), 1e-3);
    EXPECT_EQ(secondsOf("µs"), 1e-6);
    EXPECT_EQ(secondsOf("h"), 3600);
    EXPECT_FALSE(secondsOf("m"));
    EXPECT_FALSE(secondsOf(""));
}

TEST(LengthUnits, KnowSpellingsAndRefuseTheRest) {
    EXPECT_EQ(micrometresOf("Micrometer"), 1);
    EXPECT_EQ(micrometresOf("mm"), 1000);
    EXPECT_EQ(micrometresOf("inch"), 25400);
    EXPECT_EQ(micrometresOf("Å"), 1e-4);
    EXPECT_FALSE(micrometresOf("Mm"));
    EXPECT_FALSE(micrometresOf("pixel"));
    EXPECT_FALSE(micrometresOf(""));
}

} // namespace

} // namespace pollard::test
