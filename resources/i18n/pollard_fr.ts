<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="fr_FR" sourcelanguage="en_GB">
<context>
    <name>Attribute</name>
    <message>
        <source>Area</source>
        <translation>Aire</translation>
    </message>
    <message>
        <source>Width</source>
        <translation>Largeur</translation>
    </message>
    <message>
        <source>Height (box)</source>
        <translation>Hauteur (boîte)</translation>
    </message>
    <message>
        <source>Bounding box area</source>
        <translation>Aire de la boîte englobante</translation>
    </message>
    <message>
        <source>Bounding box diagonal</source>
        <translation>Diagonale de la boîte englobante</translation>
    </message>
    <message>
        <source>Border pixels</source>
        <translation>Pixels de bord</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>Niveau</translation>
    </message>
    <message>
        <source>Contrast</source>
        <translation>Contraste</translation>
    </message>
    <message>
        <source>Height (grey)</source>
        <translation>Hauteur (gris)</translation>
    </message>
    <message>
        <source>Dynamics</source>
        <translation>Dynamique</translation>
    </message>
    <message>
        <source>Volume</source>
        <translation>Volume</translation>
    </message>
    <message>
        <source>Sum of grey levels</source>
        <translation>Somme des niveaux de gris</translation>
    </message>
    <message>
        <source>Mean grey level</source>
        <translation>Niveau de gris moyen</translation>
    </message>
    <message>
        <source>Variance</source>
        <translation>Variance</translation>
    </message>
    <message>
        <source>Entropy</source>
        <translation>Entropie</translation>
    </message>
    <message>
        <source>Centroid x</source>
        <translation>Centroïde x</translation>
    </message>
    <message>
        <source>Centroid y</source>
        <translation>Centroïde y</translation>
    </message>
    <message>
        <source>Inertia</source>
        <translation>Inertie</translation>
    </message>
    <message>
        <source>Major axis</source>
        <translation>Grand axe</translation>
    </message>
    <message>
        <source>Minor axis</source>
        <translation>Petit axe</translation>
    </message>
    <message>
        <source>Elongation</source>
        <translation>Allongement</translation>
    </message>
    <message>
        <source>Orientation</source>
        <translation>Orientation</translation>
    </message>
    <message>
        <source>Eccentricity</source>
        <translation>Excentricité</translation>
    </message>
    <message>
        <source>Hu 1</source>
        <translation>Hu 1</translation>
    </message>
    <message>
        <source>Hu 2</source>
        <translation>Hu 2</translation>
    </message>
    <message>
        <source>Hu 3</source>
        <translation>Hu 3</translation>
    </message>
    <message>
        <source>Hu 4</source>
        <translation>Hu 4</translation>
    </message>
    <message>
        <source>Hu 5</source>
        <translation>Hu 5</translation>
    </message>
    <message>
        <source>Hu 6</source>
        <translation>Hu 6</translation>
    </message>
    <message>
        <source>Hu 7</source>
        <translation>Hu 7</translation>
    </message>
    <message>
        <source>Perimeter</source>
        <translation>Périmètre</translation>
    </message>
    <message>
        <source>Rectangularity</source>
        <translation>Rectangularité</translation>
    </message>
    <message>
        <source>Euler number</source>
        <translation>Nombre d&apos;Euler</translation>
    </message>
    <message>
        <source>Holes</source>
        <translation>Trous</translation>
    </message>
    <message>
        <source>Depth</source>
        <translation>Profondeur</translation>
    </message>
    <message>
        <source>Children</source>
        <translation>Enfants</translation>
    </message>
    <message>
        <source>Descendants</source>
        <translation>Descendants</translation>
    </message>
    <message>
        <source>Leaves</source>
        <translation>Feuilles</translation>
    </message>
    <message>
        <source>Circularity</source>
        <translation>Circularité</translation>
    </message>
    <message>
        <source>Stability (MSER)</source>
        <translation>Stabilité (MSER)</translation>
    </message>
    <message>
        <source>Extinction by area</source>
        <translation>Extinction par l&apos;aire</translation>
    </message>
    <message>
        <source>Extinction by volume</source>
        <translation>Extinction par le volume</translation>
    </message>
    <message>
        <source>Border contrast</source>
        <translation>Contraste au bord</translation>
    </message>
    <message>
        <source>Outer mean</source>
        <translation>Moyenne extérieure</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Taille</translation>
    </message>
    <message>
        <source>Grey levels</source>
        <translation>Niveaux de gris</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>Forme</translation>
    </message>
    <message>
        <source>Topology</source>
        <translation>Topologie</translation>
    </message>
    <message>
        <source>Tree</source>
        <translation>Arbre</translation>
    </message>
    <message>
        <source>Prominence</source>
        <translation>Proéminence</translation>
    </message>
    <message>
        <source>Slices (box)</source>
        <translation>Coupes (boîte)</translation>
    </message>
    <message>
        <source>Centroid z</source>
        <translation>Centroïde z</translation>
    </message>
    <message>
        <source>Medium axis</source>
        <translation>Axe moyen</translation>
    </message>
    <message>
        <source>Flatness</source>
        <translation>Aplatissement</translation>
    </message>
    <message>
        <source>Surface</source>
        <translation>Surface</translation>
    </message>
    <message>
        <source>Sphericity</source>
        <translation>Sphéricité</translation>
    </message>
    <message>
        <source>Volume (voxels)</source>
        <translation>Volume (voxels)</translation>
    </message>
    <message>
        <source>Bounding box volume</source>
        <translation>Volume de la boîte englobante</translation>
    </message>
    <message>
        <source>Border voxels</source>
        <translation>Voxels du bord</translation>
    </message>
    <message>
        <source>grey</source>
        <translation>gris</translation>
    </message>
    <message>
        <source>grey^2</source>
        <translation>gris²</translation>
    </message>
    <message>
        <source>grey*px</source>
        <translation>gris·px</translation>
    </message>
</context>
<context>
    <name>BandComposite</name>
    <message>
        <source>True colour</source>
        <translation>Couleurs naturelles</translation>
    </message>
    <message>
        <source>False colour infrared</source>
        <translation>Fausses couleurs infrarouges</translation>
    </message>
    <message>
        <source>Short-wave infrared</source>
        <translation>Infrarouge à ondes courtes</translation>
    </message>
    <message>
        <source>Agriculture</source>
        <translation>Agriculture</translation>
    </message>
</context>
<context>
    <name>ChannelTexts</name>
    <message>
        <source>The recipe has two filters for the channel %1 of this image.</source>
        <translation>La recette a deux filtres pour le canal %1 de cette image.</translation>
    </message>
    <message>
        <source>This image has one channel, but the recipe has filters for several: %1.</source>
        <translation>Cette image a un seul canal, mais la recette a des filtres pour plusieurs : %1.</translation>
    </message>
    <message>
        <source>The recipe has filters for channels that this image does not have: %1. Its channels are %2.</source>
        <translation>La recette a des filtres pour des canaux que cette image n&apos;a pas : %1. Ses canaux sont %2.</translation>
    </message>
</context>
<context>
    <name>ChartTables</name>
    <message>
        <source>%1 from</source>
        <translation>%1 de</translation>
    </message>
    <message>
        <source>%1 to</source>
        <translation>%1 à</translation>
    </message>
    <message>
        <source>level from</source>
        <translation>niveau à partir de</translation>
    </message>
    <message>
        <source>levels</source>
        <translation>niveaux</translation>
    </message>
    <message>
        <source>pixels</source>
        <translation>pixels</translation>
    </message>
    <message>
        <source>components</source>
        <translation>composantes</translation>
    </message>
    <message>
        <source>share of the grey mass</source>
        <translation>part de la masse de gris</translation>
    </message>
    <message>
        <source>share of all below the end</source>
        <translation>part de tout ce qui est au-dessous de la fin</translation>
    </message>
    <message>
        <source>level</source>
        <translation>niveau</translation>
    </message>
    <message>
        <source>area</source>
        <translation>aire</translation>
    </message>
    <message>
        <source>state</source>
        <translation>état</translation>
    </message>
    <message>
        <source>energy</source>
        <translation>énergie</translation>
    </message>
    <message>
        <source>nodes</source>
        <translation>nœuds</translation>
    </message>
    <message>
        <source>area inside</source>
        <translation>aire intérieure</translation>
    </message>
    <message>
        <source>objects</source>
        <translation>objets</translation>
    </message>
    <message>
        <source>object</source>
        <translation>objet</translation>
    </message>
    <message>
        <source>value from</source>
        <translation>valeur de</translation>
    </message>
    <message>
        <source>width</source>
        <translation>largeur</translation>
    </message>
    <message>
        <source>value</source>
        <translation>valeur</translation>
    </message>
    <message>
        <source>page</source>
        <translation>page</translation>
    </message>
    <message>
        <source>time</source>
        <translation>temps</translation>
    </message>
    <message>
        <source>contour</source>
        <translation>contour</translation>
    </message>
</context>
<context>
    <name>ChunkFilter</name>
    <message>
        <source>building trees</source>
        <translation>construction des arbres</translation>
    </message>
    <message>
        <source>deciding on components</source>
        <translation>choix des composantes</translation>
    </message>
    <message>
        <source>numbering components</source>
        <translation>numérotation des composantes</translation>
    </message>
    <message>
        <source>filtering</source>
        <translation>filtrage</translation>
    </message>
    <message>
        <source>writing the file</source>
        <translation>écriture du fichier</translation>
    </message>
    <message>
        <source>finding the range of values</source>
        <translation>recherche de la plage des valeurs</translation>
    </message>
</context>
<context>
    <name>ColourMap</name>
    <message>
        <source>Grey</source>
        <translation>Gris</translation>
    </message>
    <message>
        <source>Viridis</source>
        <translation>Viridis</translation>
    </message>
    <message>
        <source>Cividis</source>
        <translation>Cividis</translation>
    </message>
    <message>
        <source>Magma</source>
        <translation>Magma</translation>
    </message>
    <message>
        <source>Inferno</source>
        <translation>Inferno</translation>
    </message>
    <message>
        <source>Turbo</source>
        <translation>Turbo</translation>
    </message>
</context>
<context>
    <name>CommandWords</name>
    <message>
        <source>count, measure, segment, segmentation, cells, particles, blobs, threshold, number of objects, statistics, count cells, count nuclei, area, mean intensity, analyse particles, analyze particles, binary, connected components</source>
        <translation>compter, comptage, mesurer, mesure, segmenter, segmentation, cellules, particules, taches, seuil, seuillage, nombre d’objets, statistiques, compter les cellules, noyaux, aire, surface, intensité moyenne, analyser les particules, binaire, composantes connexes</translation>
    </message>
    <message>
        <source>binarize, Otsu, segment, automatic threshold, local background, sigma, flux, photometry</source>
        <translation>binariser, Otsu, segmenter, seuil automatique, seuillage, fond local, sigma, flux, photométrie</translation>
    </message>
    <message>
        <source>select objects, filter the table, criteria, size limit</source>
        <translation>choisir des objets, filtrer le tableau, critères, taille limite</translation>
    </message>
    <message>
        <source>export csv, export objects, Excel, spreadsheet, save measurements, results table, GeoJSON, ROI, labels, mask</source>
        <translation>exporter csv, export csv, exporter les objets, Excel, tableur, enregistrer les mesures, tableau de résultats, GeoJSON, ROI, étiquettes, masque</translation>
    </message>
    <message>
        <source>close holes</source>
        <translation>boucher, combler les trous</translation>
    </message>
    <message>
        <source>exclude edge, border objects, clear border, remove border</source>
        <translation>exclure le bord, objets du bord, vider le bord, enlever le bord</translation>
    </message>
    <message>
        <source>track, time series, follow objects, trajectories, time lapse, follow cells</source>
        <translation>suivre, suivi, série temporelle, suivre des objets, trajectoires, accéléré, suivre les cellules</translation>
    </message>
    <message>
        <source>histogram of sizes, size distribution, plot, particle size</source>
        <translation>histogramme des tailles, distribution des tailles, granulométrie, graphique, taille des particules</translation>
    </message>
    <message>
        <source>outline, edge, boundary, snake, active contour, segment one object</source>
        <translation>cerner, bord, frontière, serpent, contour actif, délimiter, segmenter un objet</translation>
    </message>
    <message>
        <source>track, time series</source>
        <translation>suivre, suivi, série temporelle</translation>
    </message>
    <message>
        <source>export outline, export contour, SVG, GeoJSON, mask</source>
        <translation>exporter le contour, SVG, GeoJSON, masque</translation>
    </message>
    <message>
        <source>before after, side by side, compare results</source>
        <translation>avant après, côte à côte, comparer des résultats, comparaison</translation>
    </message>
    <message>
        <source>inspect, look into the tree, scatter plot, why was it removed</source>
        <translation>inspecter, regarder dans l’arbre, nuage de points, pourquoi a-t-il été retiré</translation>
    </message>
    <message>
        <source>despeckle, denoise, remove noise, clean, remove small objects, attribute opening, smooth the noise, median, Gaussian, blur, morphology, opening, closing</source>
        <translation>débruiter, débruitage, enlever le bruit, bruit, nettoyer, moucheture, retirer les petits objets, ouverture par attribut, lisser le bruit, médiane, gaussien, flou, morphologie, ouverture, fermeture</translation>
    </message>
    <message>
        <source>despeckle, denoise, remove noise, clean, remove small objects, attribute opening, criteria, smooth the noise, median, Gaussian, blur, morphology, opening, closing</source>
        <translation>débruiter, débruitage, enlever le bruit, bruit, nettoyer, moucheture, retirer les petits objets, ouverture par attribut, critères, lisser le bruit, médiane, gaussien, flou, morphologie, ouverture, fermeture</translation>
    </message>
    <message>
        <source>criterion, feature, property, size, shape</source>
        <translation>critère, caractéristique, propriété, taille, forme</translation>
    </message>
    <message>
        <source>NDVI, spectral index, vegetation, band, stain, luminance</source>
        <translation>NDVI, indice spectral, végétation, bande, coloration, luminance</translation>
    </message>
    <message>
        <source>direct, min, max, subtractive, pruning</source>
        <translation>directe, min, max, soustractive, élagage</translation>
    </message>
    <message>
        <source>residue, top-hat, background, mask, labels</source>
        <translation>résidu, chapeau haut-de-forme, top-hat, fond, masque, étiquettes</translation>
    </message>
    <message>
        <source>subtract background, illumination, shading, flatten, rolling ball, top-hat, vignetting</source>
        <translation>soustraire le fond, arrière-plan, éclairage, illumination, ombrage, aplatir, boule roulante, chapeau haut-de-forme, top-hat, vignettage</translation>
    </message>
    <message>
        <source>spots, dots, particles, nuclei, despeckle, count</source>
        <translation>taches, points, particules, noyaux, compter</translation>
    </message>
    <message>
        <source>stars, galaxies, astronomy, denoise</source>
        <translation>étoiles, galaxies, astronomie, débruiter</translation>
    </message>
    <message>
        <source>scan, letters, clean a page</source>
        <translation>numérisation, lettres, nettoyer une page</translation>
    </message>
    <message>
        <source>lines, ridges, fibres, veins</source>
        <translation>lignes, crêtes, fibres, veines, nervures</translation>
    </message>
    <message>
        <source>pixel size, scale, calibration, micrometre, file information, metadata, unit, units, microns, µm, calibrate, channel, channels, coordinates, georeference, EPSG</source>
        <translation>taille du pixel, taille de pixel, échelle, calibration, étalonnage, micromètre, informations du fichier, métadonnées, unité, unités, microns, µm, étalonner, calibrer, calibrage, canal, canaux, coordonnées, géoréférence, EPSG</translation>
    </message>
    <message>
        <source>scale, calibration, micrometre, spatial calibration, microns, calibrate</source>
        <translation>échelle, calibration, étalonnage, micromètre, microns, étalonner, calibrer</translation>
    </message>
    <message>
        <source>set scale, calibration, micrometre, distance, units, microns, calibrate, known distance</source>
        <translation>régler l’échelle, calibration, étalonnage, micromètre, distance, unités, microns, étalonner, calibrer, calibrage, distance connue</translation>
    </message>
    <message>
        <source>brightness, contrast, window, level, histogram, gamma, colours, LUT, composite, merge channels</source>
        <translation>luminosité, contraste, fenêtre, niveau, histogramme, gamma, couleurs, LUT, composite, fusionner les canaux</translation>
    </message>
    <message>
        <source>auto contrast, enhance contrast, normalise</source>
        <translation>contraste automatique, améliorer le contraste, normaliser</translation>
    </message>
    <message>
        <source>reset contrast, reset display</source>
        <translation>réinitialiser le contraste, réinitialiser l’affichage</translation>
    </message>
    <message>
        <source>ROI, region of interest, selection, area of interest</source>
        <translation>ROI, région d’intérêt, sélection, zone d’intérêt</translation>
    </message>
    <message>
        <source>ROI, region of interest, selection</source>
        <translation>ROI, région d’intérêt, sélection</translation>
    </message>
    <message>
        <source>ROI, region of interest, selection, circle</source>
        <translation>ROI, région d’intérêt, sélection, cercle</translation>
    </message>
    <message>
        <source>ROI, region of interest, selection, freehand</source>
        <translation>ROI, région d’intérêt, sélection, main levée</translation>
    </message>
    <message>
        <source>cut out, trim, cut</source>
        <translation>découper, couper, rogner, recadrer</translation>
    </message>
    <message>
        <source>compare, before after, side by side, slider</source>
        <translation>comparer, avant après, côte à côte, rideau</translation>
    </message>
    <message>
        <source>compare, before after, flicker</source>
        <translation>comparer, avant après, clignoter, clignotement</translation>
    </message>
    <message>
        <source>compare, before after, subtract</source>
        <translation>comparer, avant après, soustraire</translation>
    </message>
    <message>
        <source>compare, before after, unfiltered, raw</source>
        <translation>comparer, avant après, non filtrée, brute</translation>
    </message>
    <message>
        <source>remove the bounds, keep everything</source>
        <translation>ôter les bornes, tout garder</translation>
    </message>
    <message>
        <source>reset, reset all, undo all, remove the filter, start again, original</source>
        <translation>réinitialiser, tout réinitialiser, tout annuler, ôter le filtre, recommencer, original</translation>
    </message>
    <message>
        <source>reset layout, restore panels, arrangement</source>
        <translation>réinitialiser la disposition, rétablir les panneaux, arrangement</translation>
    </message>
    <message>
        <source>revert, back, take back</source>
        <translation>revenir, retour, défaire</translation>
    </message>
    <message>
        <source>repeat, again</source>
        <translation>répéter, refaire</translation>
    </message>
    <message>
        <source>batch, many files, several images, series, automate, macro</source>
        <translation>lot, traitement par lots, batch, plusieurs fichiers, plusieurs images, série, automatiser, macro</translation>
    </message>
    <message>
        <source>batch, folder, many files, automate, macro, workflow</source>
        <translation>lot, traitement par lots, dossier, plusieurs fichiers, automatiser, macro, chaîne de traitement</translation>
    </message>
    <message>
        <source>batch, many files, macro, workflow, same steps</source>
        <translation>lot, traitement par lots, plusieurs fichiers, macro, chaîne de traitement, mêmes étapes</translation>
    </message>
    <message>
        <source>batch, folder, script, terminal, pollard-cli, automate</source>
        <translation>lot, traitement par lots, dossier, script, terminal, pollard-cli, automatiser</translation>
    </message>
    <message>
        <source>script, notebook, Jupyter, code, automate, reproduce</source>
        <translation>script, notebook, Jupyter, code, automatiser, reproduire</translation>
    </message>
    <message>
        <source>batch, steps, macro, workflow, history</source>
        <translation>lot, traitement par lots, étapes, macro, chaîne de traitement, historique</translation>
    </message>
    <message>
        <source>document, print, protocol, PDF, HTML</source>
        <translation>documenter, imprimer, compte rendu, PDF, HTML</translation>
    </message>
    <message>
        <source>csv, all components, nodes, spreadsheet</source>
        <translation>csv, toutes les composantes, nœuds, tableur</translation>
    </message>
    <message>
        <source>screenshot, figure, PNG, image for a paper</source>
        <translation>capture d’écran, figure, PNG, image pour un article</translation>
    </message>
    <message>
        <source>screenshot, clipboard, figure</source>
        <translation>capture d’écran, presse-papiers, figure</translation>
    </message>
    <message>
        <source>export, TIFF, filtered image</source>
        <translation>exporter, TIFF, image filtrée</translation>
    </message>
    <message>
        <source>project, keep my work</source>
        <translation>projet, garder mon travail, sauvegarder</translation>
    </message>
    <message>
        <source>project, continue my work</source>
        <translation>projet, continuer mon travail</translation>
    </message>
    <message>
        <source>erase, remove by hand, delete an object, click away</source>
        <translation>effacer, retirer à la main, supprimer un objet, cliquer</translation>
    </message>
    <message>
        <source>dark objects, holes, dark on bright</source>
        <translation>objets sombres, trous, sombre sur clair</translation>
    </message>
    <message>
        <source>bright objects, bright on dark</source>
        <translation>objets clairs, clair sur sombre</translation>
    </message>
    <message>
        <source>scatter plot, gate, two attributes, lasso, compare attributes</source>
        <translation>nuage de points, fenêtre, deux attributs, lasso, comparer des attributs</translation>
    </message>
    <message>
        <source>hierarchy, max-tree, nodes, dendrogram, icicle</source>
        <translation>hiérarchie, max-tree, nœuds, dendrogramme, stalactites</translation>
    </message>
    <message>
        <source>path to the root, why was it removed, ancestors, nesting</source>
        <translation>chemin vers la racine, pourquoi a-t-il été retiré, ancêtres, emboîtement</translation>
    </message>
    <message>
        <source>inspect, measure one object, properties, details</source>
        <translation>inspecter, mesurer un objet, propriétés, détails</translation>
    </message>
    <message>
        <source>set of components, lasso, chosen components</source>
        <translation>ensemble de composantes, lasso, composantes choisies</translation>
    </message>
    <message>
        <source>granulometry, size distribution, pattern spectrum</source>
        <translation>granulométrie, distribution des tailles, spectre de motifs</translation>
    </message>
    <message>
        <source>attribute profile, series of filters, multi-scale</source>
        <translation>profil d’attributs, série de filtres, multi-échelle</translation>
    </message>
    <message>
        <source>micrometre, length, calibration bar</source>
        <translation>micromètre, longueur, barre d’étalonnage</translation>
    </message>
    <message>
        <source>loupe, zoom, pixel value</source>
        <translation>loupe, zoom, valeur du pixel</translation>
    </message>
    <message>
        <source>settings, options, language, theme, memory, dark mode, French, font size</source>
        <translation>réglages, options, langue, thème, mémoire, mode sombre, anglais, taille des lettres</translation>
    </message>
    <message>
        <source>tutorial, learn, example, getting started</source>
        <translation>tutoriel, apprendre, exemple, débuter</translation>
    </message>
    <message>
        <source>introduction, getting started, overview</source>
        <translation>introduction, débuter, vue d’ensemble</translation>
    </message>
    <message>
        <source>manual, documentation</source>
        <translation>manuel, documentation, mode d’emploi</translation>
    </message>
    <message>
        <source>keys, hotkeys</source>
        <translation>touches, raccourcis</translation>
    </message>
    <message>
        <source>version, licence, cite, citation</source>
        <translation>version, licence, citer, citation</translation>
    </message>
    <message>
        <source>benchmark, speed, compare algorithms</source>
        <translation>banc d’essai, vitesse, comparer des algorithmes</translation>
    </message>
    <message>
        <source>teach, lesson, algorithm, step by step</source>
        <translation>enseigner, leçon, cours, algorithme, pas à pas</translation>
    </message>
    <message>
        <source>worksheet, exam, homework</source>
        <translation>feuille d’exercices, examen, devoirs</translation>
    </message>
    <message>
        <source>compare rules, side by side, min, max, Viterbi, subtractive</source>
        <translation>comparer les règles, côte à côte, min, max, Viterbi, soustractive</translation>
    </message>
    <message>
        <source>full resolution, large image, slide, tiles, larger than memory</source>
        <translation>pleine résolution, grande image, lame, tuiles, plus grande que la mémoire</translation>
    </message>
    <message>
        <source>full resolution, exact, part in the view, zoom, crop</source>
        <translation>pleine résolution, exact, partie dans la vue, zoom, recadrer</translation>
    </message>
    <message>
        <source>memory, resolution level, pyramid, shrink, reduce, resize, downsample, binning</source>
        <translation>mémoire, niveau de résolution, pyramide, réduire, redimensionner, sous-échantillonner</translation>
    </message>
    <message>
        <source>stack, all slices, time series, whole file</source>
        <translation>pile, toutes les coupes, série temporelle, fichier entier</translation>
    </message>
    <message>
        <source>3D, z-stack, as a volume</source>
        <translation>3D, pile en z, en volume</translation>
    </message>
    <message>
        <source>z-stack, single slices, as pages</source>
        <translation>pile en z, coupes séparées, en pages</translation>
    </message>
    <message>
        <source>MIP, maximum intensity projection, z projection, z-stack</source>
        <translation>MIP, projection d’intensité maximale, projection en z, pile en z</translation>
    </message>
    <message>
        <source>minimum intensity projection, z projection</source>
        <translation>projection d’intensité minimale, projection en z</translation>
    </message>
    <message>
        <source>average intensity projection, z projection</source>
        <translation>projection d’intensité moyenne, projection en z</translation>
    </message>
    <message>
        <source>best focus, focused slice, z projection</source>
        <translation>meilleure mise au point, coupe nette, projection en z</translation>
    </message>
    <message>
        <source>CT, MRI, four views, 2 x 2, axial, coronal, sagittal, 3D, volume rendering</source>
        <translation>scanner, IRM, quatre vues, 2 x 2, axial, coronal, sagittal, 3D, rendu de volume</translation>
    </message>
    <message>
        <source>zarr, OME-Zarr, plate, wells, directory, DICOM series, CT, MRI, import</source>
        <translation>zarr, OME-Zarr, plaque, puits, répertoire, série DICOM, scanner, IRM, importer</translation>
    </message>
    <message>
        <source>clipboard, insert, new image from the clipboard</source>
        <translation>presse-papiers, insérer, nouvelle image du presse-papiers</translation>
    </message>
    <message>
        <source>paper, printer, PDF</source>
        <translation>papier, imprimante, PDF</translation>
    </message>
    <message>
        <source>plate, wells, heat map, screen, microplate</source>
        <translation>plaque, puits, carte de chaleur, criblage, microplaque</translation>
    </message>
    <message>
        <source>classify, sort objects into classes</source>
        <translation>classer, classification, trier les objets</translation>
    </message>
    <message>
        <source>invert, negative</source>
        <translation>inverser, négatif</translation>
    </message>
    <message>
        <source>watershed, split touching objects, separate touching cells, peaks, find maxima, local maxima</source>
        <translation>ligne de partage des eaux, watershed, séparer les objets qui se touchent, séparer les cellules, pics, trouver les maxima, maxima locaux</translation>
    </message>
</context>
<context>
    <name>ConditionText</name>
    <message>
        <source>and</source>
        <translation>et</translation>
    </message>
    <message>
        <source>or</source>
        <translation>ou</translation>
    </message>
    <message>
        <source>not</source>
        <translation>non</translation>
    </message>
    <message>
        <source>“%1” is no number.</source>
        <translation>« %1 » n’est pas un nombre.</translation>
    </message>
    <message>
        <source>A feature, a number or ( is missing at the end.</source>
        <translation>Il manque une grandeur, un nombre ou ( à la fin.</translation>
    </message>
    <message>
        <source>A feature, a number or ( is expected in place of “%1”.</source>
        <translation>Une grandeur, un nombre ou ( est attendu à la place de « %1 ».</translation>
    </message>
    <message>
        <source>A ) is missing at the end.</source>
        <translation>Il manque une ) à la fin.</translation>
    </message>
    <message>
        <source>A ) is expected in place of “%1”.</source>
        <translation>Une ) est attendue à la place de « %1 ».</translation>
    </message>
    <message>
        <source>A comparison is expected in place of “%1”, such as %2.</source>
        <translation>Une comparaison est attendue à la place de « %1 », comme %2.</translation>
    </message>
    <message>
        <source>&amp;&amp; or || is expected in place of “%1”.</source>
        <translation>&amp;&amp; ou || est attendu à la place de « %1 ».</translation>
    </message>
    <message>
        <source>There is no feature “%1”. Is “%2” meant?</source>
        <translation>Il n’y a pas de grandeur « %1 ». S’agit-il de « %2 » ?</translation>
    </message>
    <message>
        <source>There is no feature “%1”. The arrow down lists all features.</source>
        <translation>Il n’y a pas de grandeur « %1 ». La flèche vers le bas les montre toutes.</translation>
    </message>
    <message>
        <source>“%1” is a value: compare it, as in %2.</source>
        <translation>« %1 » est une valeur : comparez-la, comme dans %2.</translation>
    </message>
    <message>
        <source>A comparison stands where a value is expected: join comparisons by &amp;&amp; or ||.</source>
        <translation>Une comparaison se trouve à la place d’une valeur : joignez les comparaisons par &amp;&amp; ou ||.</translation>
    </message>
    <message>
        <source>The parentheses are nested too deeply.</source>
        <translation>Trop de parenthèses sont imbriquées.</translation>
    </message>
    <message>
        <source>The unit of “%1” does not fit what it is compared with or added to.</source>
        <translation>L’unité de « %1 » ne convient pas à ce qui lui est comparé ou ajouté.</translation>
    </message>
    <message>
        <source>“%1” cannot be converted to pixels. %2</source>
        <translation>« %1 » ne peut pas être converti en pixels. %2</translation>
    </message>
    <message>
        <source>“%1” is no measurement of a channel. Measurements are %2.</source>
        <translation>« %1 » n’est pas une mesure d’un canal. Les mesures sont %2.</translation>
    </message>
    <message>
        <source>A ] is missing behind the name of the channel.</source>
        <translation>Il manque un ] après le nom du canal.</translation>
    </message>
    <message>
        <source>“%1” is not measured. The table has the measurements.</source>
        <translation>« %1 » n’est pas mesuré. Les mesures sont dans le tableau.</translation>
    </message>
    <message>
        <source>“%1” names no measured channel. Measured are %2.</source>
        <translation>« %1 » ne désigne aucun canal mesuré. Sont mesurés : %2.</translation>
    </message>
    <message>
        <source>“%1” is not measured. Choose its channel, pairs or the ring in Measure in, if there are several channels.</source>
        <translation>« %1 » n’est pas mesuré. Choisissez son canal, les paires ou l’anneau dans Mesurer dans, s’il y a plusieurs canaux.</translation>
    </message>
    <message>
        <source>Channels are measured in images, not in volumes.</source>
        <translation>Les canaux sont mesurés dans les images, pas dans les volumes.</translation>
    </message>
    <message>
        <source>Lengths and areas with a unit need a table in a unit of length, not in px.</source>
        <translation>Les longueurs et les aires avec une unité demandent un tableau dans une unité de longueur, pas en px.</translation>
    </message>
    <message>
        <source>This table has no column “%1”.</source>
        <translation>Ce tableau n’a pas de colonne « %1 ».</translation>
    </message>
</context>
<context>
    <name>ContourFiles</name>
    <message>
        <source>SVG drawing (*.svg)</source>
        <translation>Dessin SVG (*.svg)</translation>
    </message>
    <message>
        <source>Mask (*.tif *.tiff)</source>
        <translation>Masque (*.tif *.tiff)</translation>
    </message>
    <message>
        <source>ImageJ region (*.roi)</source>
        <translation>Région ImageJ (*.roi)</translation>
    </message>
    <message>
        <source>Table (*.csv)</source>
        <translation>Tableau (*.csv)</translation>
    </message>
    <message>
        <source>Save the contour</source>
        <translation>Enregistrer le contour</translation>
    </message>
    <message>
        <source>Folder for the frames</source>
        <translation>Dossier des vues</translation>
    </message>
    <message>
        <source>Writing frames</source>
        <translation>Écriture des vues</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Annuler</translation>
    </message>
    <message>
        <source>The frames were not all saved</source>
        <translation>Toutes les vues n&apos;ont pas été enregistrées</translation>
    </message>
    <message>
        <source>Saved %1 frames to %2</source>
        <translation>%1 vues enregistrées dans %2</translation>
    </message>
    <message>
        <source>ImageJ regions (*.zip)</source>
        <translation>Régions ImageJ (*.zip)</translation>
    </message>
    <message>
        <source>Save the table of the pages</source>
        <translation>Enregistrer le tableau des pages</translation>
    </message>
</context>
<context>
    <name>CountedPlane</name>
    <message>
        <source>%1 to %2</source>
        <translation>de %1 à %2</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>%1, %2: %3</source>
        <translation>%1, %2 : %3</translation>
    </message>
    <message>
        <source>1 component</source>
        <translation>1 composante</translation>
    </message>
    <message>
        <source>%1 components</source>
        <translation>%1 composantes</translation>
    </message>
</context>
<context>
    <name>CrashLog</name>
    <message>
        <source>Crash log</source>
        <translation>Journal du plantage</translation>
    </message>
    <message>
        <source>It stays on this computer: nothing was sent. To report the crash, pass on this text or the file %1.</source>
        <translation>Il reste sur cet ordinateur : rien n&apos;a été envoyé. Pour signaler le plantage, transmettez ce texte ou le fichier %1.</translation>
    </message>
    <message>
        <source>Place of the crash log</source>
        <translation>Emplacement du journal du plantage</translation>
    </message>
    <message>
        <source>Where the crash log is kept</source>
        <translation>Où le journal du plantage est conservé</translation>
    </message>
    <message>
        <source>Text that the program wrote when it crashed</source>
        <translation>Texte écrit par le programme lors du plantage</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>&amp;Copier</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Copier</translation>
    </message>
    <message>
        <source>Copy the crash log to the clipboard</source>
        <translation>Copier le journal du plantage dans le presse-papiers</translation>
    </message>
</context>
<context>
    <name>Criterion</name>
    <message>
        <source>%1: any value</source>
        <translation>%1 : toutes les valeurs</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 à %2</translation>
    </message>
</context>
<context>
    <name>DisplayLevels</name>
    <message>
        <source>none</source>
        <translation>aucun</translation>
    </message>
    <message>
        <source>%1 px</source>
        <translation>%1 px</translation>
    </message>
    <message>
        <source>%1 (%2 %)</source>
        <translation>%1 (%2 %)</translation>
    </message>
    <message>
        <source>Clipped by the window: %1 white, %2 black</source>
        <translation>Écrêtés par la fenêtre : %1 blancs, %2 noirs</translation>
    </message>
    <message>
        <source>No value was clipped</source>
        <translation>Aucune valeur n&apos;a été écrêtée</translation>
    </message>
    <message>
        <source>%1 px clipped by the value range</source>
        <translation>%1 px écrêtés par l&apos;étendue des valeurs</translation>
    </message>
    <message>
        <source>Saturated in the file: %1 white, %2 black</source>
        <translation>Saturés dans le fichier : %1 blancs, %2 noirs</translation>
    </message>
</context>
<context>
    <name>DocumentFiles</name>
    <message>
        <source>&amp;Table of components…</source>
        <translation>&amp;Tableau des composantes…</translation>
    </message>
    <message>
        <source>Table (*.csv)</source>
        <translation>Tableau (*.csv)</translation>
    </message>
    <message>
        <source>Components as &amp;NumPy array…</source>
        <translation>Composantes en tableau &amp;NumPy…</translation>
    </message>
    <message>
        <source>NumPy array (*.npy)</source>
        <translation>Tableau NumPy (*.npy)</translation>
    </message>
    <message>
        <source>&amp;Parent image…</source>
        <translation>Image des &amp;parents…</translation>
    </message>
    <message>
        <source>For every pixel, the index of the canonical pixel of its component or of the parent</source>
        <translation>Pour chaque pixel, l&apos;indice du pixel canonique de sa composante ou du parent</translation>
    </message>
    <message>
        <source>TIFF image (*.tif *.tiff)</source>
        <translation>Image TIFF (*.tif *.tiff)</translation>
    </message>
    <message>
        <source>Parent image as N&amp;umPy array…</source>
        <translation>Image des parents en tableau N&amp;umPy…</translation>
    </message>
    <message>
        <source>The same as an array of rows and columns</source>
        <translation>La même chose en tableau de lignes et de colonnes</translation>
    </message>
    <message>
        <source>&amp;Graph for GraphViz…</source>
        <translation>&amp;Graphe pour GraphViz…</translation>
    </message>
    <message>
        <source>The current component, or the root, with up to 500 components in it</source>
        <translation>La composante courante, ou la racine, avec jusqu&apos;à 500 composantes qu&apos;elle contient</translation>
    </message>
    <message>
        <source>GraphViz (*.dot *.gv)</source>
        <translation>GraphViz (*.dot *.gv)</translation>
    </message>
    <message>
        <source>View</source>
        <translation>Vue</translation>
    </message>
    <message>
        <source>Save report</source>
        <translation>Enregistrer un rapport</translation>
    </message>
    <message>
        <source>HTML page (*.html *.htm)</source>
        <translation>Page HTML (*.html *.htm)</translation>
    </message>
    <message>
        <source>Export &amp;tree</source>
        <translation>Exporter l&apos;a&amp;rbre</translation>
    </message>
    <message>
        <source>Export tree</source>
        <translation>Exporter l&apos;arbre</translation>
    </message>
    <message>
        <source>Save r&amp;eport…</source>
        <translation>Enre&amp;gistrer un rapport…</translation>
    </message>
    <message>
        <source>One HTML file with images, parameters, versions, command line and citations</source>
        <translation>Un fichier HTML avec images, paramètres, versions, ligne de commande et citations</translation>
    </message>
    <message>
        <source>One line per component: number, parent, level, canonical pixel, chosen attributes</source>
        <translation>Une ligne par composante : numéro, parent, niveau, pixel canonique, attributs choisis</translation>
    </message>
    <message>
        <source>Measuring %1, %2 of %3</source>
        <translation>Mesure de %1, %2 sur %3</translation>
    </message>
    <message>
        <source>One row per component: number, parent, level, canonical pixel, chosen attributes</source>
        <translation>Une ligne par composante : numéro, parent, niveau, pixel canonique, attributs choisis</translation>
    </message>
</context>
<context>
    <name>EditHistory</name>
    <message>
        <source>filter on</source>
        <translation>filtre activé</translation>
    </message>
    <message>
        <source>filter off</source>
        <translation>filtre désactivé</translation>
    </message>
    <message>
        <source>most prominent %1 by %2</source>
        <translation>les %1 plus proéminents (%2)</translation>
    </message>
    <message>
        <source>any prominence</source>
        <translation>proéminence quelconque</translation>
    </message>
    <message>
        <source>rule %1</source>
        <translation>règle %1</translation>
    </message>
    <message>
        <source>output %1</source>
        <translation>sortie %1</translation>
    </message>
    <message>
        <source>max-tree</source>
        <translation>max-tree</translation>
    </message>
    <message>
        <source>min-tree</source>
        <translation>min-tree</translation>
    </message>
    <message>
        <source>new shape of the region</source>
        <translation>nouvelle forme de la région</translation>
    </message>
    <message>
        <source>cleared region</source>
        <translation>région effacée</translation>
    </message>
    <message>
        <source>removed shape of the region</source>
        <translation>forme de la région supprimée</translation>
    </message>
    <message>
        <source>inverted region</source>
        <translation>région inversée</translation>
    </message>
    <message>
        <source>changed region</source>
        <translation>région modifiée</translation>
    </message>
    <message>
        <source>empty selection</source>
        <translation>sélection vide</translation>
    </message>
    <message>
        <source>selection of a component</source>
        <translation>sélection d&apos;une composante</translation>
    </message>
    <message>
        <source>selection of %1 components</source>
        <translation>sélection de %1 composantes</translation>
    </message>
    <message>
        <source>objects of the original</source>
        <translation>objets de l&apos;image originale</translation>
    </message>
    <message>
        <source>objects of the result</source>
        <translation>objets du résultat</translation>
    </message>
    <message>
        <source>dark objects</source>
        <translation>objets sombres</translation>
    </message>
    <message>
        <source>bright objects</source>
        <translation>objets clairs</translation>
    </message>
    <message>
        <source>connectivity of objects</source>
        <translation>connexité des objets</translation>
    </message>
    <message>
        <source>objects of levels %1 to %2</source>
        <translation>objets des niveaux %1 à %2</translation>
    </message>
    <message>
        <source>threshold of objects</source>
        <translation>seuil des objets</translation>
    </message>
    <message>
        <source>return of objects</source>
        <translation>retour d&apos;objets</translation>
    </message>
    <message>
        <source>deletion of an object</source>
        <translation>suppression d&apos;un objet</translation>
    </message>
    <message>
        <source>deletion of %1 objects</source>
        <translation>suppression de %1 objets</translation>
    </message>
    <message>
        <source>%1 from %2 to %3</source>
        <translation>%1 de %2 à %3</translation>
    </message>
    <message>
        <source>%1 at least %2</source>
        <translation>%1 d&apos;au moins %2</translation>
    </message>
    <message>
        <source>%1 at most %2</source>
        <translation>%1 d&apos;au plus %2</translation>
    </message>
    <message>
        <source>any %1</source>
        <translation>%1 quelconque</translation>
    </message>
    <message>
        <source>criterion on</source>
        <translation>critère activé</translation>
    </message>
    <message>
        <source>criterion off</source>
        <translation>critère désactivé</translation>
    </message>
    <message>
        <source>new criterion</source>
        <translation>nouveau critère</translation>
    </message>
    <message>
        <source>removed criterion</source>
        <translation>critère retiré</translation>
    </message>
    <message>
        <source>all criteria</source>
        <translation>tous les critères</translation>
    </message>
    <message>
        <source>any criterion</source>
        <translation>l&apos;un des critères</translation>
    </message>
    <message>
        <source>cleared picks</source>
        <translation>désignations effacées</translation>
    </message>
    <message>
        <source>undone pick</source>
        <translation>désignation annulée</translation>
    </message>
    <message>
        <source>kept component</source>
        <translation>composante gardée</translation>
    </message>
    <message>
        <source>only one component</source>
        <translation>une seule composante</translation>
    </message>
    <message>
        <source>removed components</source>
        <translation>composantes retirées</translation>
    </message>
    <message>
        <source>removed component</source>
        <translation>composante retirée</translation>
    </message>
    <message>
        <source>statistics of contours</source>
        <translation>statistique des contours</translation>
    </message>
    <message>
        <source>moves of contours</source>
        <translation>mouvements des contours</translation>
    </message>
    <message>
        <source>step of contours</source>
        <translation>pas des contours</translation>
    </message>
    <message>
        <source>length of contours&apos; edges</source>
        <translation>longueur des arêtes des contours</translation>
    </message>
    <message>
        <source>price on the length of contours</source>
        <translation>prix de la longueur des contours</translation>
    </message>
    <message>
        <source>limits of contours</source>
        <translation>limites des contours</translation>
    </message>
    <message>
        <source>new earlier filter</source>
        <translation>nouveau filtre précédent</translation>
    </message>
    <message>
        <source>removed earlier filter</source>
        <translation>filtre précédent retiré</translation>
    </message>
    <message>
        <source>changed earlier filter</source>
        <translation>filtre précédent modifié</translation>
    </message>
    <message>
        <source>page %1</source>
        <translation>page %1</translation>
    </message>
    <message>
        <source>channel of the image</source>
        <translation>canal de l&apos;image</translation>
    </message>
    <message>
        <source>range of values</source>
        <translation>plage de valeurs</translation>
    </message>
    <message>
        <source>resolution level %1</source>
        <translation>niveau de résolution %1</translation>
    </message>
    <message>
        <source>image shrunk by %1</source>
        <translation>image réduite %1 fois</translation>
    </message>
    <message>
        <source>image in full size</source>
        <translation>image en taille réelle</translation>
    </message>
    <message>
        <source>part of the image</source>
        <translation>partie de l&apos;image</translation>
    </message>
    <message>
        <source>whole image</source>
        <translation>image entière</translation>
    </message>
    <message>
        <source>layout of raw data</source>
        <translation>disposition des données brutes</translation>
    </message>
    <message>
        <source>surroundings of contours</source>
        <translation>environs des contours</translation>
    </message>
    <message>
        <source>whole image for contours</source>
        <translation>image entière pour les contours</translation>
    </message>
    <message>
        <source>filled holes of objects</source>
        <translation>remplissage des trous des objets</translation>
    </message>
    <message>
        <source>unfilled holes of objects</source>
        <translation>trous des objets non remplis</translation>
    </message>
    <message>
        <source>objects without those at the border</source>
        <translation>objets sans ceux au bord</translation>
    </message>
    <message>
        <source>objects with those at the border</source>
        <translation>objets avec ceux au bord</translation>
    </message>
    <message>
        <source>pixel size</source>
        <translation>taille d’un pixel</translation>
    </message>
    <message>
        <source>pixel size of the folder</source>
        <translation>taille d’un pixel du dossier</translation>
    </message>
    <message>
        <source>objects from level %1</source>
        <translation>objets à partir du niveau %1</translation>
    </message>
    <message>
        <source>objects up to level %1</source>
        <translation>objets jusqu’au niveau %1</translation>
    </message>
    <message>
        <source>objects measured in all channels</source>
        <translation>objets mesurés dans tous les canaux</translation>
    </message>
    <message>
        <source>objects measured in this channel</source>
        <translation>objets mesurés dans ce canal</translation>
    </message>
    <message>
        <source>added class of objects</source>
        <translation>classe d’objets ajoutée</translation>
    </message>
    <message>
        <source>removed class of objects</source>
        <translation>classe d’objets supprimée</translation>
    </message>
    <message>
        <source>classes of objects</source>
        <translation>classes d’objets</translation>
    </message>
    <message>
        <source>measurements of objects</source>
        <translation>mesures des objets</translation>
    </message>
    <message>
        <source>objects measured in chosen channels</source>
        <translation>objets mesurés dans les canaux choisis</translation>
    </message>
    <message>
        <source>%1-connectivity</source>
        <translation>connexité %1</translation>
    </message>
    <message>
        <source>objects from value %1</source>
        <translation>objets à partir de la valeur %1</translation>
    </message>
    <message>
        <source>objects up to value %1</source>
        <translation>objets jusqu&apos;à la valeur %1</translation>
    </message>
    <message>
        <source>objects of values %1 to %2</source>
        <translation>objets des valeurs %1 à %2</translation>
    </message>
    <message>
        <source>objects at the first and last slice</source>
        <translation>objets à la première et à la dernière coupe</translation>
    </message>
    <message>
        <source>objects without those at the first and last slice</source>
        <translation>objets sans ceux de la première et de la dernière coupe</translation>
    </message>
    <message>
        <source>local background of objects</source>
        <translation>fond local des objets</translation>
    </message>
    <message>
        <source>splitting of objects</source>
        <translation>division des objets</translation>
    </message>
    <message>
        <source>deleted contours</source>
        <translation>contours supprimés</translation>
    </message>
    <message>
        <source>followed contours</source>
        <translation>contours suivis</translation>
    </message>
    <message>
        <source>new contours</source>
        <translation>nouveaux contours</translation>
    </message>
    <message>
        <source>best components</source>
        <translation>meilleures composantes</translation>
    </message>
    <message>
        <source>regions of a watershed</source>
        <translation>régions d’un partage des eaux</translation>
    </message>
    <message>
        <source>regions of a hierarchy</source>
        <translation>régions d’une hiérarchie</translation>
    </message>
    <message>
        <source>objects of a threshold</source>
        <translation>objets d’un seuil</translation>
    </message>
    <message>
        <source>forced or forbidden object</source>
        <translation>objet imposé ou interdit</translation>
    </message>
    <message>
        <source>object that is neither forced nor forbidden</source>
        <translation>objet ni imposé ni interdit</translation>
    </message>
    <message>
        <source>strictness of best components</source>
        <translation>rigueur des meilleures composantes</translation>
    </message>
    <message>
        <source>size of best components</source>
        <translation>taille des meilleures composantes</translation>
    </message>
    <message>
        <source>watershed of objects</source>
        <translation>partage des eaux des objets</translation>
    </message>
    <message>
        <source>cut of the hierarchy</source>
        <translation>coupe de la hiérarchie</translation>
    </message>
    <message>
        <source>labels of a file</source>
        <translation>étiquettes d&apos;un fichier</translation>
    </message>
    <message>
        <source>other file of labels</source>
        <translation>autre fichier d&apos;étiquettes</translation>
    </message>
    <message>
        <source>objects found again</source>
        <translation>objets cherchés à nouveau</translation>
    </message>
    <message>
        <source>erased pixels of objects</source>
        <translation>pixels d’objets effacés</translation>
    </message>
    <message>
        <source>filled hole of an object</source>
        <translation>trou d’un objet rempli</translation>
    </message>
    <message>
        <source>object drawn as a polygon</source>
        <translation>objet dessiné en polygone</translation>
    </message>
    <message>
        <source>merged objects</source>
        <translation>objets réunis</translation>
    </message>
    <message>
        <source>cut object</source>
        <translation>objet coupé</translation>
    </message>
    <message>
        <source>removed objects</source>
        <translation>objets supprimés</translation>
    </message>
    <message>
        <source>component as an object</source>
        <translation>composante comme objet</translation>
    </message>
    <message>
        <source>painted object</source>
        <translation>objet peint</translation>
    </message>
    <message>
        <source>number of an object</source>
        <translation>numéro d&apos;un objet</translation>
    </message>
    <message>
        <source>class of objects</source>
        <translation>classe d&apos;objets</translation>
    </message>
    <message>
        <source>weights of best components</source>
        <translation>poids des meilleures composantes</translation>
    </message>
    <message>
        <source>no forest</source>
        <translation>sans forêt</translation>
    </message>
    <message>
        <source>forest</source>
        <translation>forêt</translation>
    </message>
</context>
<context>
    <name>ExerciseSheet</name>
    <message>
        <source>Exercises on component trees</source>
        <translation>Exercices sur les arbres de composantes</translation>
    </message>
    <message>
        <source>Exercises on component trees, sheet %1: answers</source>
        <translation>Exercices sur les arbres de composantes, feuille %1 : réponses</translation>
    </message>
    <message>
        <source>Exercises on component trees, sheet %1</source>
        <translation>Exercices sur les arbres de composantes, feuille %1</translation>
    </message>
</context>
<context>
    <name>ExportPlan</name>
    <message>
        <source>%1 × %2 px are too many: at most %3 px a side, %4 MP altogether</source>
        <translation>%1 × %2 px, c&apos;est trop : au plus %3 px de côté, %4 MP en tout</translation>
    </message>
</context>
<context>
    <name>ExportView</name>
    <message>
        <source>Export view</source>
        <translation>Exporter la vue</translation>
    </message>
    <message>
        <source>Exporting %1</source>
        <translation>Exportation de %1</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Annuler</translation>
    </message>
    <message>
        <source>The view was not exported</source>
        <translation>La vue n&apos;a pas été exportée</translation>
    </message>
    <message>
        <source>PNG image (*.png);;TIFF image (*.tif *.tiff);;JPEG image (*.jpg *.jpeg)</source>
        <translation>Image PNG (*.png);;Image TIFF (*.tif *.tiff);;Image JPEG (*.jpg *.jpeg)</translation>
    </message>
    <message>
        <source>Pasted %1</source>
        <translation>Collé %1</translation>
    </message>
    <message>
        <source>The image was not pasted</source>
        <translation>L&apos;image n&apos;a pas été collée</translation>
    </message>
    <message>
        <source>There is no image on the clipboard</source>
        <translation>Le presse-papiers ne contient pas d&apos;image</translation>
    </message>
    <message>
        <source>&amp;Paste image</source>
        <translation>&amp;Coller l&apos;image</translation>
    </message>
    <message>
        <source>Open the image on the clipboard</source>
        <translation>Ouvrir l&apos;image du presse-papiers</translation>
    </message>
    <message>
        <source>&amp;Print…</source>
        <translation>I&amp;mprimer…</translation>
    </message>
    <message>
        <source>Print the view with its title on one page</source>
        <translation>Imprimer la vue avec son titre sur une page</translation>
    </message>
    <message>
        <source>The view was not printed</source>
        <translation>La vue n&apos;a pas été imprimée</translation>
    </message>
    <message>
        <source>The printer does not accept the page.</source>
        <translation>L&apos;imprimante n&apos;accepte pas la page.</translation>
    </message>
    <message>
        <source>Printing the view…</source>
        <translation>Impression de la vue…</translation>
    </message>
</context>
<context>
    <name>FileDialogs</name>
    <message>
        <source>Images (%1)</source>
        <translation>Images (%1)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Tous les fichiers (*)</translation>
    </message>
    <message>
        <source>Open an image</source>
        <translation>Ouvrir une image</translation>
    </message>
    <message>
        <source>Save the result</source>
        <translation>Enregistrer le résultat</translation>
    </message>
    <message>
        <source>TIFF image (*.tif *.tiff)</source>
        <translation>Image TIFF (*.tif *.tiff)</translation>
    </message>
    <message>
        <source>Load region</source>
        <translation>Charger une région</translation>
    </message>
    <message>
        <source>Save region</source>
        <translation>Enregistrer la région</translation>
    </message>
    <message>
        <source>GeoJSON (*.geojson)</source>
        <translation>GeoJSON (*.geojson)</translation>
    </message>
    <message>
        <source>GeoJSON in longitude and latitude (*.geojson *.json)</source>
        <translation>GeoJSON en longitude et latitude (*.geojson *.json)</translation>
    </message>
    <message>
        <source>GeoJSON in pixels of the image (*.geojson)</source>
        <translation>GeoJSON en pixels de l&apos;image (*.geojson)</translation>
    </message>
    <message>
        <source>GeoJSON in longitude and latitude (*.geojson)</source>
        <translation>GeoJSON en longitude et latitude (*.geojson)</translation>
    </message>
    <message>
        <source>Choose images</source>
        <translation>Choisir des images</translation>
    </message>
    <message>
        <source>Polygons: GeoJSON and vector files (*.geojson *.json *.gpkg *.shp *.fgb *.csv);;GeoJSON (*.geojson *.json);;All files (*)</source>
        <translation>Polygones : GeoJSON et fichiers vectoriels (*.geojson *.json *.gpkg *.shp *.fgb *.csv);;GeoJSON (*.geojson *.json);;Tous les fichiers (*)</translation>
    </message>
    <message>
        <source>GeoPackage, FlatGeobuf or CSV with WKT by the name (*.gpkg *.fgb *.csv)</source>
        <translation>GeoPackage, FlatGeobuf ou CSV avec WKT selon le nom (*.gpkg *.fgb *.csv)</translation>
    </message>
    <message>
        <source>Image of the folder</source>
        <translation>Image du dossier</translation>
    </message>
    <message>
        <source>%1 is the name of another format. The name must end in %2.</source>
        <translation>%1 est le nom d&apos;un autre format. Le nom doit se terminer par %2.</translation>
    </message>
    <message>
        <source>DICOM, also without an extension (*)</source>
        <translation>DICOM, aussi sans extension (*)</translation>
    </message>
    <message>
        <source>The image is shown in colour.</source>
        <translation>L&apos;image est affichée en couleurs.</translation>
    </message>
    <message>
        <source>As &amp;shown (colours)</source>
        <translation>Comme &amp;affichée (couleurs)</translation>
    </message>
    <message>
        <source>&amp;Grey values</source>
        <translation>Valeurs de &amp;gris</translation>
    </message>
    <message>
        <source>As shown</source>
        <translation>Comme affichée</translation>
    </message>
    <message>
        <source>Save the colours of the view, 8 bits each</source>
        <translation>Enregistrer les couleurs de la vue, 8 bits chacune</translation>
    </message>
    <message>
        <source>Grey values</source>
        <translation>Valeurs de gris</translation>
    </message>
    <message>
        <source>Save the values of the filtered channel</source>
        <translation>Enregistrer les valeurs du canal filtré</translation>
    </message>
</context>
<context>
    <name>FilterTexts</name>
    <message>
        <source>Direct</source>
        <translation>Directe</translation>
    </message>
    <message>
        <source>Pixels of a removed component get the level of the nearest kept one around it</source>
        <translation>Les pixels d&apos;une composante retirée reçoivent le niveau de la plus proche composante gardée qui l&apos;entoure</translation>
    </message>
    <message>
        <source>Min (prune)</source>
        <translation>Min (élagage)</translation>
    </message>
    <message>
        <source>A component is kept only if it and all components around it meet the criteria</source>
        <translation>Une composante n&apos;est gardée que si elle et toutes celles qui l&apos;entourent remplissent les critères</translation>
    </message>
    <message>
        <source>Max</source>
        <translation>Max</translation>
    </message>
    <message>
        <source>A component is kept if it or any component inside it meets the criteria</source>
        <translation>Une composante est gardée si elle ou une composante qu&apos;elle contient remplit les critères</translation>
    </message>
    <message>
        <source>Viterbi (prune)</source>
        <translation>Viterbi (élagage)</translation>
    </message>
    <message>
        <source>Whole branches are removed so that as few decisions of the criteria as possible are overruled (Salembier, Oliveras, Garrido 1998)</source>
        <translation>Des branches entières sont retirées pour contredire le moins de décisions des critères possible (Salembier, Oliveras, Garrido 1998)</translation>
    </message>
    <message>
        <source>Subtractive</source>
        <translation>Soustractive</translation>
    </message>
    <message>
        <source>As Direct, and components inside a removed one are lowered by its contrast (Urbach, Wilkinson 2002)</source>
        <translation>Comme Directe, et les composantes dans une composante retirée sont abaissées de son contraste (Urbach, Wilkinson 2002)</translation>
    </message>
    <message>
        <source>Filtered</source>
        <translation>Filtrée</translation>
    </message>
    <message>
        <source>Residue</source>
        <translation>Résidu</translation>
    </message>
    <message>
        <source>Mask</source>
        <translation>Masque</translation>
    </message>
    <message>
        <source>Labels</source>
        <translation>Étiquettes</translation>
    </message>
    <message>
        <source>The image rebuilt from the kept components</source>
        <translation>L&apos;image refaite des composantes gardées</translation>
    </message>
    <message>
        <source>The removed part: the difference between image and filtered image (top-hat)</source>
        <translation>La part retirée : la différence entre l&apos;image et l&apos;image filtrée (chapeau haut-de-forme)</translation>
    </message>
    <message>
        <source>White where a kept component meets the criteria, else black</source>
        <translation>Blanc où une composante gardée remplit les critères, sinon noir</translation>
    </message>
    <message>
        <source>The number of the outermost kept component that holds the pixel, else 0</source>
        <translation>Le numéro de la composante gardée la plus extérieure qui contient le pixel, sinon 0</translation>
    </message>
    <message>
        <source>dynamics</source>
        <translation>dynamique</translation>
    </message>
    <message>
        <source>area</source>
        <translation>aire</translation>
    </message>
    <message>
        <source>volume</source>
        <translation>volume</translation>
    </message>
    <message>
        <source>Descent from an extremum that leads to a higher one (Grimaud 1992)</source>
        <translation>Descente depuis un extremum qui mène à un plus haut (Grimaud 1992)</translation>
    </message>
    <message>
        <source>The area at which an extremum meets one with a larger area (Vachier, Meyer 1995)</source>
        <translation>L&apos;aire à laquelle un extremum en rencontre un d&apos;aire plus grande (Vachier, Meyer 1995)</translation>
    </message>
    <message>
        <source>The volume at which an extremum meets one with a larger volume (Vachier, Meyer 1995)</source>
        <translation>Le volume auquel un extremum en rencontre un de volume plus grand (Vachier, Meyer 1995)</translation>
    </message>
</context>
<context>
    <name>Formats</name>
    <message>
        <source>Whole slides</source>
        <translation>Lames entières</translation>
    </message>
    <message>
        <source>GDAL rasters</source>
        <translation>Images matricielles de GDAL</translation>
    </message>
</context>
<context>
    <name>Help</name>
    <message>
        <source> or </source>
        <translation> ou </translation>
    </message>
    <message>
        <source>Engine %1</source>
        <translation>Moteur %1</translation>
    </message>
    <message>
        <source>not usable: %1</source>
        <translation>inutilisable : %1</translation>
    </message>
    <message>
        <source>Graphics</source>
        <translation>Affichage</translation>
    </message>
    <message>
        <source>no OpenGL</source>
        <translation>pas d&apos;OpenGL</translation>
    </message>
    <message>
        <source>System</source>
        <translation>Système</translation>
    </message>
    <message>
        <source>Libraries</source>
        <translation>Bibliothèques</translation>
    </message>
    <message>
        <source>GNU General Public License, version 3 or later. This is free software: you may change and redistribute it. There is no warranty, to the extent permitted by law.</source>
        <translation>Licence publique générale GNU, version 3 ou ultérieure. C&apos;est un logiciel libre : vous pouvez le modifier et le redistribuer. Il est fourni sans garantie, dans les limites permises par la loi.</translation>
    </message>
    <message>
        <source>If you use Pollard for a publication, please cite it and the algorithms: File &gt; Save report lists the algorithms used for an image.</source>
        <translation>Si vous utilisez Pollard pour une publication, merci de le citer ainsi que les algorithmes employés : Fichier &gt; Enregistrer un rapport énumère ceux d&apos;une image.</translation>
    </message>
    <message>
        <source>Citation</source>
        <translation>Citation</translation>
    </message>
    <message>
        <source>As a sentence and for BibTeX</source>
        <translation>En une phrase et pour BibTeX</translation>
    </message>
    <message>
        <source>Cop&amp;y</source>
        <translation>Cop&amp;ier</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Copier</translation>
    </message>
    <message>
        <source>Copy the citation to the clipboard</source>
        <translation>Copier la citation dans le presse-papiers</translation>
    </message>
    <message>
        <source>Keyboard and mouse</source>
        <translation>Clavier et souris</translation>
    </message>
    <message>
        <source>In the image and the panels</source>
        <translation>Dans l&apos;image et les panneaux</translation>
    </message>
    <message>
        <source>Arrow keys</source>
        <translation>Flèches</translation>
    </message>
    <message>
        <source>Move the image; with a drawing tool the cross or the selected shape</source>
        <translation>Déplacent l&apos;image ; avec un outil de dessin, la croix ou la forme sélectionnée</translation>
    </message>
    <message>
        <source>Shift + arrow keys</source>
        <translation>Maj + flèches</translation>
    </message>
    <message>
        <source>Move the shape by 10 px</source>
        <translation>Déplacent la forme de 10 px</translation>
    </message>
    <message>
        <source>Ctrl + arrow keys</source>
        <translation>Ctrl + flèches</translation>
    </message>
    <message>
        <source>Resize the shape</source>
        <translation>Redimensionnent la forme</translation>
    </message>
    <message>
        <source>Alt + arrow keys</source>
        <translation>Alt + flèches</translation>
    </message>
    <message>
        <source>Move the image while a drawing tool is chosen</source>
        <translation>Déplacent l&apos;image quand un outil de dessin est choisi</translation>
    </message>
    <message>
        <source>Space</source>
        <translation>Espace</translation>
    </message>
    <message>
        <source>With a drawing tool: click at the cross</source>
        <translation>Avec un outil de dessin : cliquer sur la croix</translation>
    </message>
    <message>
        <source>Enter, Backspace, Escape</source>
        <translation>Entrée, Retour arrière, Échap</translation>
    </message>
    <message>
        <source>Close a polygon, remove its last corner, cancel</source>
        <translation>Ferment un polygone, retirent son dernier sommet, annulent</translation>
    </message>
    <message>
        <source>Shift + Left, Shift + Right</source>
        <translation>Maj + Gauche, Maj + Droite</translation>
    </message>
    <message>
        <source>Move the split line</source>
        <translation>Déplacent la ligne de partage</translation>
    </message>
    <message>
        <source>Arrow keys on a handle</source>
        <translation>Flèches sur une poignée</translation>
    </message>
    <message>
        <source>Move a bound of the filter by a small step</source>
        <translation>Déplacent une borne du filtre d&apos;un petit pas</translation>
    </message>
    <message>
        <source>Page Up, Page Down on a handle</source>
        <translation>Page préc., Page suiv. sur une poignée</translation>
    </message>
    <message>
        <source>Move a bound by ten steps</source>
        <translation>Déplacent une borne de dix pas</translation>
    </message>
    <message>
        <source>Home, End on a handle</source>
        <translation>Début, Fin sur une poignée</translation>
    </message>
    <message>
        <source>Move a bound to an end</source>
        <translation>Déplacent une borne à une extrémité</translation>
    </message>
    <message>
        <source>Arrow keys on the histogram</source>
        <translation>Flèches sur l&apos;histogramme</translation>
    </message>
    <message>
        <source>Move the black level, with Shift the white level</source>
        <translation>Déplacent le niveau du noir, avec Maj celui du blanc</translation>
    </message>
    <message>
        <source>Arrow keys on the filter&apos;s histogram</source>
        <translation>Flèches sur l&apos;histogramme du filtre</translation>
    </message>
    <message>
        <source>Move the lower bound, with Shift the upper one</source>
        <translation>Déplacent la borne inférieure, avec Maj la supérieure</translation>
    </message>
    <message>
        <source>Space, Delete on a criterion</source>
        <translation>Espace, Suppr sur un critère</translation>
    </message>
    <message>
        <source>Turn it on or off, remove it</source>
        <translation>L&apos;activent ou le désactivent, le retirent</translation>
    </message>
    <message>
        <source>Mouse</source>
        <translation>Souris</translation>
    </message>
    <message>
        <source>Drag, left or middle button</source>
        <translation>Glisser, bouton gauche ou du milieu</translation>
    </message>
    <message>
        <source>Move the image</source>
        <translation>Déplace l&apos;image</translation>
    </message>
    <message>
        <source>Wheel</source>
        <translation>Molette</translation>
    </message>
    <message>
        <source>Zoom about the pointer</source>
        <translation>Zoome autour du pointeur</translation>
    </message>
    <message>
        <source>Double-click</source>
        <translation>Double-clic</translation>
    </message>
    <message>
        <source>Fit the image to the window; close a polygon</source>
        <translation>Ajuste l&apos;image à la fenêtre ; ferme un polygone</translation>
    </message>
    <message>
        <source>Drag with a drawing tool</source>
        <translation>Glisser avec un outil de dessin</translation>
    </message>
    <message>
        <source>Draw a shape, move one, or resize it at a handle; with Alt draw within another</source>
        <translation>Dessine une forme, en déplace une ou la redimensionne à une poignée ; avec Alt, dessine dans une autre</translation>
    </message>
    <message>
        <source>Drag in the minimap</source>
        <translation>Glisser dans la mini-carte</translation>
    </message>
    <message>
        <source>Move the view</source>
        <translation>Déplace la vue</translation>
    </message>
    <message>
        <source>Drag the split line</source>
        <translation>Glisser la ligne de partage</translation>
    </message>
    <message>
        <source>Compare before and after</source>
        <translation>Compare avant et après</translation>
    </message>
    <message>
        <source>Drag an edge in the histogram</source>
        <translation>Glisser un bord dans l&apos;histogramme</translation>
    </message>
    <message>
        <source>Change the black or the white level</source>
        <translation>Change le niveau du noir ou du blanc</translation>
    </message>
    <message>
        <source>Drag a bound in the filter&apos;s histogram</source>
        <translation>Glisser une borne dans l&apos;histogramme du filtre</translation>
    </message>
    <message>
        <source>Change that bound; between both bounds: move both</source>
        <translation>Change cette borne ; entre les deux : les déplace toutes deux</translation>
    </message>
    <message>
        <source>Click while picking components</source>
        <translation>Cliquer en désignant des composantes</translation>
    </message>
    <message>
        <source>Remove the component there, with Shift keep it</source>
        <translation>Retire la composante qui s&apos;y trouve, avec Maj la garde</translation>
    </message>
    <message>
        <source>Drop a file on the window</source>
        <translation>Déposer un fichier sur la fenêtre</translation>
    </message>
    <message>
        <source>Open it</source>
        <translation>L&apos;ouvre</translation>
    </message>
    <message>
        <source>Arrow keys and Page Down move the list</source>
        <translation>Les flèches et Page suiv. font défiler la liste</translation>
    </message>
    <message>
        <source>About Pollard</source>
        <translation>À propos de Pollard</translation>
    </message>
    <message>
        <source>Interactive mathematical morphology: builds the component tree of an image, measures every component and prunes the tree while you drag a threshold.</source>
        <translation>Morphologie mathématique interactive : construit l&apos;arbre des composantes d&apos;une image, mesure chaque composante et élague l&apos;arbre pendant que vous déplacez un seuil.</translation>
    </message>
    <message>
        <source>&amp;Versions</source>
        <translation>&amp;Versions</translation>
    </message>
    <message>
        <source>&amp;Licences</source>
        <translation>&amp;Licences</translation>
    </message>
    <message>
        <source>How to &amp;cite</source>
        <translation>Comment &amp;citer</translation>
    </message>
    <message>
        <source>Versions, licences and how to cite</source>
        <translation>Versions, licences et comment citer</translation>
    </message>
    <message>
        <source>&amp;What&apos;s this?</source>
        <translation>&amp;Qu&apos;est-ce que c&apos;est ?</translation>
    </message>
    <message>
        <source>Click on a control to read what it does</source>
        <translation>Cliquez sur un élément pour lire à quoi il sert</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Aide</translation>
    </message>
    <message>
        <source>Space, Page Up, Page Down in the grid lab</source>
        <translation>Espace, Page précédente, Page suivante dans le labo</translation>
    </message>
    <message>
        <source>Play, one step back, one step on</source>
        <translation>Lire, une étape en arrière, une étape en avant</translation>
    </message>
    <message>
        <source>Digits, +, - in the grid lab</source>
        <translation>Chiffres, +, - dans le labo</translation>
    </message>
    <message>
        <source>Change the level at the cursor</source>
        <translation>Changer le niveau au curseur</translation>
    </message>
    <message>
        <source>T&amp;our</source>
        <translation>&amp;Visite</translation>
    </message>
    <message>
        <source>A small job on the open image, one step after the other</source>
        <translation>Un petit travail sur l&apos;image ouverte, une étape après l&apos;autre</translation>
    </message>
    <message>
        <source>Shift + wheel</source>
        <translation>Maj + molette</translation>
    </message>
    <message>
        <source>The next slice or page of the file</source>
        <translation>La coupe ou la page suivante du fichier</translation>
    </message>
</context>
<context>
    <name>ImageName</name>
    <message>
        <source>field %1</source>
        <translation>champ %1</translation>
    </message>
</context>
<context>
    <name>KeptWorkMenu</name>
    <message>
        <source>Kept on %1: %2</source>
        <translation>Conservé le %1 : %2</translation>
    </message>
    <message>
        <source>Discard the work on %1?</source>
        <translation>Abandonner le travail sur %1 ?</translation>
    </message>
    <message>
        <source>%1, kept on %2</source>
        <translation>%1, conservé le %2</translation>
    </message>
    <message>
        <source>&amp;Discard</source>
        <translation>&amp;Abandonner</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>A&amp;nnuler</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>Abandonner</translation>
    </message>
    <message>
        <source>The image itself stays as it is</source>
        <translation>L&apos;image elle-même reste inchangée</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Annuler</translation>
    </message>
    <message>
        <source>The work stays</source>
        <translation>Le travail reste conservé</translation>
    </message>
    <message>
        <source>&amp;Kept work</source>
        <translation>Trav&amp;ail conservé</translation>
    </message>
    <message>
        <source>Continue work that was kept when its image was closed</source>
        <translation>Reprendre un travail conservé à la fermeture de son image</translation>
    </message>
</context>
<context>
    <name>Lab</name>
    <message>
        <source>Parents</source>
        <translation>Parents</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Résultat</translation>
    </message>
    <message>
        <source>Tree</source>
        <translation>Arbre</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>Tableau</translation>
    </message>
    <message>
        <source>Machine words</source>
        <translation>Mots machine</translation>
    </message>
    <message>
        <source>Image</source>
        <translation>Image</translation>
    </message>
    <message>
        <source>…</source>
        <translation>…</translation>
    </message>
</context>
<context>
    <name>LabExample</name>
    <message>
        <source>Two peaks</source>
        <translation>Deux pics</translation>
    </message>
    <message>
        <source>A hill in steps</source>
        <translation>Une colline en marches</translation>
    </message>
    <message>
        <source>Peaks and saddles</source>
        <translation>Pics et cols</translation>
    </message>
    <message>
        <source>Joined by corners only</source>
        <translation>Reliés par les coins seulement</translation>
    </message>
    <message>
        <source>A spiral</source>
        <translation>Une spirale</translation>
    </message>
    <message>
        <source>A ramp: every pixel a node</source>
        <translation>Une rampe : chaque pixel un nœud</translation>
    </message>
    <message>
        <source>A checkerboard</source>
        <translation>Un damier</translation>
    </message>
    <message>
        <source>One level only</source>
        <translation>Un seul niveau</translation>
    </message>
    <message>
        <source>Noise of ten levels</source>
        <translation>Bruit de dix niveaux</translation>
    </message>
    <message>
        <source>Noise of 65,536 levels</source>
        <translation>Bruit de 65 536 niveaux</translation>
    </message>
</context>
<context>
    <name>LabFiles</name>
    <message>
        <source>Writing steps</source>
        <translation>Écriture des étapes</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Annuler</translation>
    </message>
    <message>
        <source>The steps were not all saved</source>
        <translation>Les étapes n&apos;ont pas toutes été enregistrées</translation>
    </message>
    <message>
        <source>Saved %1 steps to %2</source>
        <translation>%1 étapes enregistrées dans %2</translation>
    </message>
    <message>
        <source>Save the state</source>
        <translation>Enregistrer l&apos;état</translation>
    </message>
    <message>
        <source>SVG drawing (*.svg)</source>
        <translation>Dessin SVG (*.svg)</translation>
    </message>
    <message>
        <source>The state was not saved</source>
        <translation>L&apos;état n&apos;a pas été enregistré</translation>
    </message>
    <message>
        <source>Folder for the steps</source>
        <translation>Dossier pour les étapes</translation>
    </message>
    <message>
        <source>Save the animation</source>
        <translation>Enregistrer l&apos;animation</translation>
    </message>
    <message>
        <source>Animated WebP (*.webp)</source>
        <translation>WebP animé (*.webp)</translation>
    </message>
    <message>
        <source>&amp;Save this state as SVG…</source>
        <translation>&amp;Enregistrer cet état en SVG…</translation>
    </message>
    <message>
        <source>A drawing of all views, for slides</source>
        <translation>Un dessin de toutes les vues, pour des diapositives</translation>
    </message>
    <message>
        <source>Save all steps as &amp;PNG…</source>
        <translation>Enregistrer toutes les étapes en &amp;PNG…</translation>
    </message>
    <message>
        <source>A numbered image of every step</source>
        <translation>Une image numérotée de chaque étape</translation>
    </message>
    <message>
        <source>Save as &amp;animation…</source>
        <translation>Enregistrer une &amp;animation…</translation>
    </message>
    <message>
        <source>All steps as one animated WebP, at the chosen speed</source>
        <translation>Toutes les étapes en un WebP animé, à la vitesse choisie</translation>
    </message>
</context>
<context>
    <name>LabQuiz</name>
    <message>
        <source>Which pixel becomes the parent of %1? Click it, or go there and press Return.</source>
        <translation>Quel pixel devient le parent de %1 ? Cliquez dessus, ou allez-y et appuyez sur Entrée.</translation>
    </message>
    <message>
        <source>Does the filter keep the node of %1, or remove it?</source>
        <translation>Le filtre garde-t-il le nœud de %1, ou le retire-t-il ?</translation>
    </message>
</context>
<context>
    <name>LabelGesture</name>
    <message>
        <source>Click into a hole of an object</source>
        <translation>Cliquez dans un trou d’un objet</translation>
    </message>
    <message>
        <source>The background here reaches the border of the image, so it is no hole</source>
        <translation>Ici, le fond atteint le bord de l’image : ce n’est pas un trou</translation>
    </message>
    <message>
        <source>Draw from one object to another to join them</source>
        <translation>Tracez d’un objet à un autre pour les réunir</translation>
    </message>
    <message>
        <source>Draw a line across an object to divide it</source>
        <translation>Tracez une ligne à travers un objet pour le diviser</translation>
    </message>
    <message>
        <source>The line does not divide the object: draw it from one side to the other</source>
        <translation>La ligne ne divise pas l’objet : tracez-la d’un côté à l’autre</translation>
    </message>
    <message>
        <source>The component is of another image</source>
        <translation>La composante est d’une autre image</translation>
    </message>
    <message>
        <source>Another object has the number %1</source>
        <translation>Un autre objet a le numéro %1</translation>
    </message>
</context>
<context>
    <name>LeaveQuestion</name>
    <message>
        <source>&amp;Keep for next time</source>
        <translation>&amp;Conserver pour la prochaine fois</translation>
    </message>
    <message>
        <source>&amp;Save session…</source>
        <translation>&amp;Enregistrer la session…</translation>
    </message>
    <message>
        <source>&amp;Save session</source>
        <translation>&amp;Enregistrer la session</translation>
    </message>
    <message>
        <source>&amp;Discard</source>
        <translation>&amp;Abandonner</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>A&amp;nnuler</translation>
    </message>
    <message>
        <source>Keep for next time</source>
        <translation>Conserver pour la prochaine fois</translation>
    </message>
    <message>
        <source>The start page and File &gt; Kept work offer to continue it</source>
        <translation>La page d&apos;accueil et Fichier &gt; Travail conservé proposent de le reprendre</translation>
    </message>
    <message>
        <source>Save session</source>
        <translation>Enregistrer la session</translation>
    </message>
    <message>
        <source>Save it as a session in a file of your choice</source>
        <translation>L&apos;enregistrer comme session dans un fichier de votre choix</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>Abandonner</translation>
    </message>
    <message>
        <source>The work on this image is lost; the image stays as it is</source>
        <translation>Le travail sur cette image est perdu ; l&apos;image reste inchangée</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Annuler</translation>
    </message>
    <message>
        <source>Nothing is closed or opened</source>
        <translation>Rien n&apos;est fermé ni ouvert</translation>
    </message>
    <message>
        <source>Keep &amp;without asking from now on</source>
        <translation>Désormais conserver &amp;sans demander</translation>
    </message>
    <message>
        <source>Keep without asking from now on</source>
        <translation>Désormais conserver sans demander</translation>
    </message>
    <message>
        <source>File &gt; Preferences &gt; Files turns the question on again</source>
        <translation>Fichier &gt; Préférences &gt; Fichiers réactive la question</translation>
    </message>
</context>
<context>
    <name>Menus</name>
    <message>
        <source>&amp;Clear list</source>
        <translation>&amp;Effacer la liste</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Fichier</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>Ouvrir un fic&amp;hier récent</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Vue</translation>
    </message>
    <message>
        <source>&amp;Tone curve</source>
        <translation>Cour&amp;be de tons</translation>
    </message>
    <message>
        <source>&amp;Colours</source>
        <translation>&amp;Couleurs</translation>
    </message>
    <message>
        <source>&amp;Panels</source>
        <translation>&amp;Panneaux</translation>
    </message>
    <message>
        <source>O&amp;verlays</source>
        <translation>Superposi&amp;tions</translation>
    </message>
    <message>
        <source>T&amp;heme</source>
        <translation>T&amp;hème</translation>
    </message>
    <message>
        <source>&amp;Image</source>
        <translation>&amp;Image</translation>
    </message>
    <message>
        <source>&amp;Region</source>
        <translation>&amp;Région</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>É&amp;dition</translation>
    </message>
    <message>
        <source>&amp;Workspace</source>
        <translation>E&amp;space de travail</translation>
    </message>
    <message>
        <source>Slices</source>
        <translation>Coupes</translation>
    </message>
</context>
<context>
    <name>NamedWindows</name>
    <message>
        <source>Brain</source>
        <translation>Cerveau</translation>
    </message>
    <message>
        <source>Bone</source>
        <translation>Os</translation>
    </message>
    <message>
        <source>Lung</source>
        <translation>Poumon</translation>
    </message>
    <message>
        <source>Soft tissue</source>
        <translation>Tissus mous</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 à %2</translation>
    </message>
    <message>
        <source>As in the file</source>
        <translation>Comme dans le fichier</translation>
    </message>
</context>
<context>
    <name>Neighbours</name>
    <message>
        <source>26: also at corners</source>
        <translation>26 : aussi par les coins</translation>
    </message>
    <message>
        <source>18: also at edges</source>
        <translation>18 : aussi par les arêtes</translation>
    </message>
    <message>
        <source>6: at faces only</source>
        <translation>6 : par les faces seulement</translation>
    </message>
    <message>
        <source>8: also at corners</source>
        <translation>8 : aussi par les coins</translation>
    </message>
    <message>
        <source>4: at sides only</source>
        <translation>4 : par les côtés seulement</translation>
    </message>
</context>
<context>
    <name>Notices</name>
    <message>
        <source>in pixels: %1</source>
        <translation>en pixels : %1</translation>
    </message>
    <message>
        <source>Saved %1 in %2</source>
        <translation>%1 enregistré dans %2</translation>
    </message>
</context>
<context>
    <name>ObjectFiles</name>
    <message>
        <source>Label image (*.tif *.tiff)</source>
        <translation>Image d&apos;étiquettes (*.tif *.tiff)</translation>
    </message>
    <message>
        <source>ImageJ regions (*.zip)</source>
        <translation>Régions ImageJ (*.zip)</translation>
    </message>
    <message>
        <source>Table (*.csv)</source>
        <translation>Tableau (*.csv)</translation>
    </message>
    <message>
        <source>Save the objects</source>
        <translation>Enregistrer les objets</translation>
    </message>
    <message>
        <source>Save the tracks</source>
        <translation>Enregistrer les trajectoires</translation>
    </message>
    <message>
        <source>Finding objects…</source>
        <translation>Recherche des objets…</translation>
    </message>
    <message>
        <source>GeoJSON (*.geojson)</source>
        <translation>GeoJSON (*.geojson)</translation>
    </message>
</context>
<context>
    <name>ObjectTable</name>
    <message>
        <source>mean of its pixels with data in channel %1</source>
        <translation>moyenne de ses pixels valides dans le canal %1</translation>
    </message>
    <message>
        <source>sum of its pixels with data in channel %1</source>
        <translation>somme de ses pixels valides dans le canal %1</translation>
    </message>
    <message>
        <source>lowest value of its pixels in channel %1</source>
        <translation>valeur minimale de ses pixels dans le canal %1</translation>
    </message>
    <message>
        <source>highest value of its pixels in channel %1</source>
        <translation>valeur maximale de ses pixels dans le canal %1</translation>
    </message>
    <message>
        <source>standard deviation of its pixels in channel %1</source>
        <translation>écart type de ses pixels dans le canal %1</translation>
    </message>
    <message>
        <source>median of its pixels in channel %1</source>
        <translation>médiane de ses pixels dans le canal %1</translation>
    </message>
    <message>
        <source>mean of the background around it in channel %1</source>
        <translation>moyenne du fond qui l’entoure dans le canal %1</translation>
    </message>
    <message>
        <source>Pearson&apos;s correlation of the channels %1</source>
        <translation>corrélation de Pearson des canaux %1</translation>
    </message>
    <message>
        <source>share of the first channel where the second is above 0: %1</source>
        <translation>part du premier canal là où le second dépasse 0 : %1</translation>
    </message>
    <message>
        <source>share of the second channel where the first is above 0: %1</source>
        <translation>part du second canal là où le premier dépasse 0 : %1</translation>
    </message>
    <message>
        <source>objects of channel %1 whose largest part lies in it</source>
        <translation>objets du canal %1 dont la plus grande partie y est</translation>
    </message>
</context>
<context>
    <name>OpenGl</name>
    <message>
        <source>The graphics driver or the remote display offers no OpenGL. Pollard draws images with OpenGL 3.3; Mesa&apos;s software renderer is enough.</source>
        <translation>Le pilote graphique ou l&apos;écran distant n&apos;offre pas OpenGL. Pollard dessine les images avec OpenGL 3.3 ; le rendu logiciel de Mesa suffit.</translation>
    </message>
    <message>
        <source>OpenGL 3.3 is needed, the graphics driver (%1) offers %2.%3.</source>
        <translation>OpenGL 3.3 est nécessaire, le pilote graphique (%1) offre %2.%3.</translation>
    </message>
</context>
<context>
    <name>OpenRequest</name>
    <message>
        <source>resolution level %1</source>
        <translation>niveau de résolution %1</translation>
    </message>
    <message>
        <source>region %1 × %2 px at %3, %4</source>
        <translation>région %1 × %2 px en %3, %4</translation>
    </message>
    <message>
        <source>slices %1 to %2</source>
        <translation>coupes %1 à %2</translation>
    </message>
    <message>
        <source>shrunk by %1</source>
        <translation>réduite de %1</translation>
    </message>
    <message>
        <source>minimum</source>
        <translation>minimum</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>moyenne</translation>
    </message>
    <message>
        <source>sharpest</source>
        <translation>la plus nette</translation>
    </message>
    <message>
        <source>maximum</source>
        <translation>maximum</translation>
    </message>
</context>
<context>
    <name>PanelControls</name>
    <message>
        <source>%1 panel</source>
        <translation>Panneau %1</translation>
    </message>
</context>
<context>
    <name>Panels</name>
    <message>
        <source>Load a recipe</source>
        <translation>Charger une recette</translation>
    </message>
    <message>
        <source>Recipe (*.json)</source>
        <translation>Recette (*.json)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Tous les fichiers (*)</translation>
    </message>
    <message>
        <source>Save the recipe</source>
        <translation>Enregistrer la recette</translation>
    </message>
    <message>
        <source>The command is on the clipboard</source>
        <translation>La commande est dans le presse-papiers</translation>
    </message>
    <message>
        <source>The Python script is on the clipboard</source>
        <translation>Le script Python est dans le presse-papiers</translation>
    </message>
    <message>
        <source>Save the components</source>
        <translation>Enregistrer les composantes</translation>
    </message>
    <message>
        <source>Mask (*.tif *.tiff)</source>
        <translation>Masque (*.tif *.tiff)</translation>
    </message>
    <message>
        <source>Table (*.csv)</source>
        <translation>Tableau (*.csv)</translation>
    </message>
    <message>
        <source>Not removed: at most %1 components can be removed by hand</source>
        <translation>Non retirées : on peut retirer à la main %1 composantes au plus</translation>
    </message>
    <message>
        <source>Image</source>
        <translation>Image</translation>
    </message>
    <message>
        <source>Display</source>
        <translation>Affichage</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>Filtre</translation>
    </message>
    <message>
        <source>Region</source>
        <translation>Région</translation>
    </message>
    <message>
        <source>Spectrum</source>
        <translation>Spectre</translation>
    </message>
    <message>
        <source>Profile</source>
        <translation>Profil</translation>
    </message>
    <message>
        <source>Objects</source>
        <translation>Objets</translation>
    </message>
    <message>
        <source>Contour</source>
        <translation>Contour</translation>
    </message>
    <message>
        <source>Chain</source>
        <translation>Chaîne</translation>
    </message>
    <message>
        <source>Tree</source>
        <translation>Arbre</translation>
    </message>
    <message>
        <source>Component</source>
        <translation>Composante</translation>
    </message>
    <message>
        <source>Selection</source>
        <translation>Sélection</translation>
    </message>
    <message>
        <source>Attribute plane</source>
        <translation>Plan des attributs</translation>
    </message>
    <message>
        <source>Recipe</source>
        <translation>Recette</translation>
    </message>
    <message>
        <source>The facts of the image and of its file: size, bits, pixel size, tags.</source>
        <translation>Les caractéristiques de l&apos;image et de son fichier : taille, bits, taille de pixel, balises.</translation>
    </message>
    <message>
        <source>Grey levels of black and white, colours, and the comparison with the original.</source>
        <translation>Les niveaux de gris du noir et du blanc, les couleurs et la comparaison avec l&apos;original.</translation>
    </message>
    <message>
        <source>Draw shapes to analyse only a part of the image.</source>
        <translation>Dessinez des formes pour n&apos;analyser qu&apos;une partie de l&apos;image.</translation>
    </message>
    <message>
        <source>Remove components by area, contrast and other attributes while the image follows.</source>
        <translation>Supprimez des composantes selon l&apos;aire, le contraste et d&apos;autres attributs ; l&apos;image suit.</translation>
    </message>
    <message>
        <source>How the grey mass of the image spreads over components of all sizes.</source>
        <translation>La répartition de la masse de gris de l&apos;image sur les composantes de toutes tailles.</translation>
    </message>
    <message>
        <source>The results of a series of thresholds beside each other.</source>
        <translation>Les résultats d&apos;une série de seuils, côte à côte.</translation>
    </message>
    <message>
        <source>Count and measure the objects of the image, and save the table.</source>
        <translation>Comptez et mesurez les objets de l&apos;image, et enregistrez le tableau.</translation>
    </message>
    <message>
        <source>Let a contour find the border of an object.</source>
        <translation>Laissez un contour trouver le bord d&apos;un objet.</translation>
    </message>
    <message>
        <source>The components around a pixel, from the smallest to the whole image.</source>
        <translation>Les composantes autour d&apos;un pixel, de la plus petite à toute l&apos;image.</translation>
    </message>
    <message>
        <source>The whole tree: every component as a box, the whole image on top.</source>
        <translation>L&apos;arbre entier : chaque composante en boîte, toute l&apos;image en haut.</translation>
    </message>
    <message>
        <source>One component with all its attributes.</source>
        <translation>Une composante avec tous ses attributs.</translation>
    </message>
    <message>
        <source>A set of components, to remove or to save together.</source>
        <translation>Un ensemble de composantes, à supprimer ou à enregistrer ensemble.</translation>
    </message>
    <message>
        <source>All components by two attributes; a rectangle or a lasso separates them.</source>
        <translation>Toutes les composantes selon deux attributs ; un rectangle ou un lasso les sépare.</translation>
    </message>
    <message>
        <source>The steps from the file to the result, to repeat them on other images.</source>
        <translation>Les étapes du fichier au résultat, pour les répéter sur d&apos;autres images.</translation>
    </message>
    <message>
        <source>&amp;Try a sample</source>
        <translation>&amp;Essayer un exemple</translation>
    </message>
    <message>
        <source>Open an image of coins to try things on</source>
        <translation>Ouvrir une image de pièces de monnaie pour essayer</translation>
    </message>
    <message>
        <source>Rules</source>
        <translation>Règles</translation>
    </message>
    <message>
        <source>The results of all rules of the filter beside each other.</source>
        <translation>Les résultats de toutes les règles du filtre, côte à côte.</translation>
    </message>
    <message>
        <source>Orthogonal views</source>
        <translation>Vues orthogonales</translation>
    </message>
    <message>
        <source>A volume from the side: the sections XZ and YZ through the cross hair.</source>
        <translation>Un volume vu de côté : les coupes XZ et YZ par le réticule.</translation>
    </message>
    <message>
        <source>3D view</source>
        <translation>Vue 3D</translation>
    </message>
    <message>
        <source>A volume from any direction: intensity projections and volume rendering.</source>
        <translation>Un volume vu de toute direction : projections d&apos;intensité et rendu volumique.</translation>
    </message>
    <message>
        <source>The regions of the hierarchy are no components: this panel shows the components of the image&apos;s tree.</source>
        <translation>Les régions de la hiérarchie ne sont pas des composantes : ce panneau montre les composantes de l&apos;arbre de l&apos;image.</translation>
    </message>
</context>
<context>
    <name>PatientText</name>
    <message>
        <source>sagittal</source>
        <translation>sagittale</translation>
    </message>
    <message>
        <source>coronal</source>
        <translation>coronale</translation>
    </message>
    <message>
        <source>axial</source>
        <translation>axiale</translation>
    </message>
</context>
<context>
    <name>Preset</name>
    <message>
        <source>Bright small objects</source>
        <translation>Petits objets clairs</translation>
    </message>
    <message>
        <source>Small objects that stand out from their surroundings: ships, buildings, city lights in satellite images</source>
        <translation>Petits objets qui se détachent de leur entourage : bateaux, bâtiments, lumières des villes sur les images de satellite</translation>
    </message>
    <message>
        <source>Text of a document</source>
        <translation>Texte d&apos;un document</translation>
    </message>
    <message>
        <source>Dark letters without the paper: the black top-hat of small components that do not touch the border</source>
        <translation>Lettres sombres sans le papier : le chapeau haut-de-forme noir des petites composantes qui ne touchent pas le bord</translation>
    </message>
    <message>
        <source>Faint sources</source>
        <translation>Sources faibles</translation>
    </message>
    <message>
        <source>Stars and galaxies by the light above their surroundings, not by their peak: volume keeps faint but wide sources, and removes noise</source>
        <translation>Étoiles et galaxies d&apos;après la lumière au-dessus de leur entourage, non d&apos;après leur sommet : le volume garde les sources faibles mais étendues, et retire le bruit</translation>
    </message>
    <message>
        <source>Nuts among screws</source>
        <translation>Écrous parmi les vis</translation>
    </message>
    <message>
        <source>Compact bright objects with a hole, in any place and orientation</source>
        <translation>Objets clairs compacts avec un trou, de place et d&apos;orientation quelconques</translation>
    </message>
    <message>
        <source>Screws among nuts</source>
        <translation>Vis parmi les écrous</translation>
    </message>
    <message>
        <source>Long bright objects without a hole, in any place and orientation</source>
        <translation>Objets clairs allongés sans trou, de place et d&apos;orientation quelconques</translation>
    </message>
    <message>
        <source>Uneven background</source>
        <translation>Fond inégal</translation>
    </message>
    <message>
        <source>Bright objects on an even ground: the white top-hat by area, for microscopy under uneven light</source>
        <translation>Objets clairs sur un fond égal : le chapeau haut-de-forme blanc par l&apos;aire, pour la microscopie sous une lumière inégale</translation>
    </message>
    <message>
        <source>Vessel-like structures</source>
        <translation>Structures en vaisseaux</translation>
    </message>
    <message>
        <source>Long dark components: elongated, and large enough not to be noise</source>
        <translation>Longues composantes sombres : allongées, et assez grandes pour ne pas être du bruit</translation>
    </message>
</context>
<context>
    <name>PresetsMenu</name>
    <message>
        <source>&amp;Load a recipe…</source>
        <translation>&amp;Charger une recette…</translation>
    </message>
    <message>
        <source>Apply a recipe to this image</source>
        <translation>Appliquer une recette à cette image</translation>
    </message>
    <message>
        <source>Save the steps as a recipe for other images (JSON)</source>
        <translation>Enregistrer les étapes comme recette pour d&apos;autres images (JSON)</translation>
    </message>
    <message>
        <source>&amp;Copy as command line</source>
        <translation>Co&amp;pier comme ligne de commande</translation>
    </message>
    <message>
        <source>Copy as P&amp;ython</source>
        <translation>Copier comme P&amp;ython</translation>
    </message>
    <message>
        <source>Copy a Python script that produces the same result without a window</source>
        <translation>Copier un script Python qui produit le même résultat sans fenêtre</translation>
    </message>
    <message>
        <source>Copy the command that produces the same result without a window</source>
        <translation>Copier la commande qui donne le même résultat sans fenêtre</translation>
    </message>
    <message>
        <source>Save as a &amp;recipe…</source>
        <translation>Enregistrer comme &amp;recette…</translation>
    </message>
    <message>
        <source>&amp;Presets</source>
        <translation>&amp;Préréglages</translation>
    </message>
    <message>
        <source>Open the &amp;sample of</source>
        <translation>Ouvrir l&apos;échan&amp;tillon de</translation>
    </message>
    <message>
        <source>preset %1</source>
        <translation>préréglage %1</translation>
    </message>
</context>
<context>
    <name>RegionFile</name>
    <message>
        <source>read a region: %1: more than %2 MB</source>
        <translation>lire une région : %1 : plus de %2 Mo</translation>
    </message>
    <message>
        <source>read a region: %1: %2</source>
        <translation>lire une région : %1 : %2</translation>
    </message>
    <message>
        <source>save the region: %1: %2</source>
        <translation>enregistrer la région : %1 : %2</translation>
    </message>
</context>
<context>
    <name>RegionFiles</name>
    <message>
        <source>Load region</source>
        <translation>Charger une région</translation>
    </message>
    <message>
        <source>Layer with the polygons</source>
        <translation>Couche des polygones</translation>
    </message>
    <message>
        <source>The region was not loaded</source>
        <translation>La région n&apos;a pas été chargée</translation>
    </message>
    <message>
        <source>The region was not saved</source>
        <translation>La région n&apos;a pas été enregistrée</translation>
    </message>
</context>
<context>
    <name>RenderingPresets</name>
    <message>
        <source>CT bone</source>
        <translation>Scanner, os</translation>
    </message>
    <message>
        <source>CT soft tissue</source>
        <translation>Scanner, tissus mous</translation>
    </message>
    <message>
        <source>CT lung</source>
        <translation>Scanner, poumon</translation>
    </message>
    <message>
        <source>MRI</source>
        <translation>IRM</translation>
    </message>
    <message>
        <source>Fluorescence</source>
        <translation>Fluorescence</translation>
    </message>
    <message>
        <source>%1 % at %2</source>
        <translation>%1 % à %2</translation>
    </message>
    <message>
        <source>Opacity in Hounsfield units: %1</source>
        <translation>Opacité en unités Hounsfield : %1</translation>
    </message>
    <message>
        <source>Opacity at percentiles of the voxels&apos; values: %1</source>
        <translation>Opacité aux percentiles des valeurs des voxels : %1</translation>
    </message>
</context>
<context>
    <name>Report</name>
    <message>
        <source>Image</source>
        <translation>Image</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Fichier</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Taille</translation>
    </message>
    <message>
        <source>%1 × %2 px</source>
        <translation>%1 × %2 px</translation>
    </message>
    <message>
        <source>Depth</source>
        <translation>Profondeur</translation>
    </message>
    <message>
        <source>%1 bits</source>
        <translation>%1 bits</translation>
    </message>
    <message>
        <source>Page</source>
        <translation>Page</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 sur %2</translation>
    </message>
    <message>
        <source>Part</source>
        <translation>Partie</translation>
    </message>
    <message>
        <source>Tree</source>
        <translation>Arbre</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Type</translation>
    </message>
    <message>
        <source>max-tree</source>
        <translation>max-tree</translation>
    </message>
    <message>
        <source>min-tree</source>
        <translation>min-tree</translation>
    </message>
    <message>
        <source>Connectivity</source>
        <translation>Connexité</translation>
    </message>
    <message>
        <source>Components</source>
        <translation>Composantes</translation>
    </message>
    <message>
        <source>Leaves</source>
        <translation>Feuilles</translation>
    </message>
    <message>
        <source>Algorithm</source>
        <translation>Algorithme</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>Moteur</translation>
    </message>
    <message>
        <source>most prominent: %1</source>
        <translation>les plus proéminents : %1</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>Filtre</translation>
    </message>
    <message>
        <source>Criteria</source>
        <translation>Critères</translation>
    </message>
    <message>
        <source>none</source>
        <translation>aucun</translation>
    </message>
    <message>
        <source>To be met</source>
        <translation>À remplir</translation>
    </message>
    <message>
        <source>Rule</source>
        <translation>Règle</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>Sortie</translation>
    </message>
    <message>
        <source>Picked by hand</source>
        <translation>Désignées à la main</translation>
    </message>
    <message>
        <source>%1 removed, %2 kept</source>
        <translation>%1 retirées, %2 gardées</translation>
    </message>
    <message>
        <source>Kept components</source>
        <translation>Composantes gardées</translation>
    </message>
    <message>
        <source>Removed components</source>
        <translation>Composantes retirées</translation>
    </message>
    <message>
        <source>Changed pixels</source>
        <translation>Pixels changés</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>Programme</translation>
    </message>
    <message>
        <source>The same without a window</source>
        <translation>La même chose sans fenêtre</translation>
    </message>
    <message>
        <source>To be cited</source>
        <translation>À citer</translation>
    </message>
    <message>
        <source>Earlier filters</source>
        <translation>Filtres précédents</translation>
    </message>
    <message>
        <source>Condition: %1</source>
        <translation>Condition : %1</translation>
    </message>
    <message>
        <source>The first %1 of %2 rows</source>
        <translation>Les %1 premières lignes sur %2</translation>
    </message>
    <message>
        <source>Objects</source>
        <translation>Objets</translation>
    </message>
    <message>
        <source>%1 × %2 × %3 voxels</source>
        <translation>%1 × %2 × %3 voxels</translation>
    </message>
    <message>
        <source>Slice</source>
        <translation>Coupe</translation>
    </message>
</context>
<context>
    <name>ResultTexture</name>
    <message>
        <source>The engine kept no image on its device.</source>
        <translation>Le moteur n&apos;a pas gardé d&apos;image sur son périphérique.</translation>
    </message>
    <message>
        <source>Interop needs an engine whose device keeps the image.</source>
        <translation>L&apos;interopérabilité demande un moteur dont le périphérique garde l&apos;image.</translation>
    </message>
    <message>
        <source>The command line demands it (--transfer copy).</source>
        <translation>La ligne de commande l&apos;exige (--transfer copy).</translation>
    </message>
</context>
<context>
    <name>Scene</name>
    <message>
        <source>A max-tree</source>
        <translation>Un max-tree</translation>
    </message>
    <message>
        <source>Two peaks and the valley between them</source>
        <translation>Deux pics et la vallée entre eux</translation>
    </message>
    <message>
        <source>The same image as a min-tree</source>
        <translation>La même image en min-tree</translation>
    </message>
    <message>
        <source>Guess: which pixel becomes the parent?</source>
        <translation>Devinez : quel pixel devient le parent ?</translation>
    </message>
    <message>
        <source>Corners join, or they do not: 4 neighbours</source>
        <translation>Les coins relient, ou non : 4 voisins</translation>
    </message>
    <message>
        <source>Corners join, or they do not: 8 neighbours</source>
        <translation>Les coins relient, ou non : 8 voisins</translation>
    </message>
    <message>
        <source>Water rises: flooding</source>
        <translation>L&apos;eau monte : l&apos;inondation</translation>
    </message>
    <message>
        <source>Measured from the leaves up</source>
        <translation>Mesurer à partir des feuilles</translation>
    </message>
    <message>
        <source>A rule that prunes: min</source>
        <translation>Une règle qui élague : min</translation>
    </message>
    <message>
        <source>A rule that keeps contrasts: subtractive</source>
        <translation>Une règle qui garde les contrastes : soustractive</translation>
    </message>
    <message>
        <source>Guess: which nodes does the filter keep?</source>
        <translation>Devinez : quels nœuds garde le filtre ?</translation>
    </message>
    <message>
        <source>Many threads, one tree</source>
        <translation>De nombreux fils, un arbre</translation>
    </message>
    <message>
        <source>Any order of turns: the tree is the same</source>
        <translation>Tout ordre des tours : l&apos;arbre est le même</translation>
    </message>
    <message>
        <source>Tiles and their seams</source>
        <translation>Les tuiles et leurs coutures</translation>
    </message>
    <message>
        <source>Edges that the tree does not need</source>
        <translation>Des arêtes dont l&apos;arbre n&apos;a pas besoin</translation>
    </message>
    <message>
        <source>boruvka: Pollard&apos;s own algorithm</source>
        <translation>boruvka : l&apos;algorithme de Pollard</translation>
    </message>
    <message>
        <source>Objects from rows of bits</source>
        <translation>Des objets à partir de lignes de bits</translation>
    </message>
    <message>
        <source>Objects measured by merging trees</source>
        <translation>Des objets mesurés en fusionnant des arbres</translation>
    </message>
    <message>
        <source>A contour finds its border</source>
        <translation>Un contour trouve son bord</translation>
    </message>
</context>
<context>
    <name>SessionFiles</name>
    <message>
        <source>Pollard session (*.%1)</source>
        <translation>Session Pollard (*.%1)</translation>
    </message>
    <message>
        <source>Open a session</source>
        <translation>Ouvrir une session</translation>
    </message>
    <message>
        <source>Save the session</source>
        <translation>Enregistrer la session</translation>
    </message>
    <message>
        <source>Open sess&amp;ion…</source>
        <translation>Ouvrir une sess&amp;ion…</translation>
    </message>
    <message>
        <source>Open an image with all its work</source>
        <translation>Ouvrir une image avec tout son travail</translation>
    </message>
    <message>
        <source>Save sessio&amp;n</source>
        <translation>Enregistrer la &amp;session</translation>
    </message>
    <message>
        <source>Save the image&apos;s place, filter, regions, selections, contours and view</source>
        <translation>Enregistrer l&apos;emplacement de l&apos;image, le filtre, les régions, les sélections, les contours et la vue</translation>
    </message>
    <message>
        <source>Save session &amp;as…</source>
        <translation>Enregistrer la session so&amp;us…</translation>
    </message>
    <message>
        <source>Save the session as another file</source>
        <translation>Enregistrer la session dans un autre fichier</translation>
    </message>
    <message>
        <source>The image of the session was not found</source>
        <translation>L&apos;image de la session est introuvable</translation>
    </message>
    <message>
        <source>It is neither beside the session nor at %1.</source>
        <translation>Elle n&apos;est ni à côté de la session ni à l&apos;emplacement %1.</translation>
    </message>
    <message>
        <source>Locate image…</source>
        <translation>Localiser l&apos;image…</translation>
    </message>
    <message>
        <source>Pollard did not end properly</source>
        <translation>Pollard ne s&apos;est pas terminé normalement</translation>
    </message>
    <message>
        <source>The work on %1 was kept on %2. Continue it?</source>
        <translation>Le travail sur %1 a été conservé le %2. Le reprendre ?</translation>
    </message>
    <message>
        <source>&amp;Recover</source>
        <translation>&amp;Récupérer</translation>
    </message>
    <message>
        <source>&amp;Delete</source>
        <translation>&amp;Supprimer</translation>
    </message>
    <message>
        <source>&amp;Later</source>
        <translation>&amp;Plus tard</translation>
    </message>
    <message>
        <source>Recover</source>
        <translation>Récupérer</translation>
    </message>
    <message>
        <source>Open the image with all that was done with it</source>
        <translation>Ouvrir l&apos;image avec tout ce qui en a été fait</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Supprimer</translation>
    </message>
    <message>
        <source>Delete the kept work</source>
        <translation>Supprimer le travail conservé</translation>
    </message>
    <message>
        <source>Later</source>
        <translation>Plus tard</translation>
    </message>
    <message>
        <source>Ask again at the next start</source>
        <translation>Redemander au prochain démarrage</translation>
    </message>
    <message>
        <source>&amp;Show the crash log</source>
        <translation>&amp;Afficher le journal du plantage</translation>
    </message>
    <message>
        <source>Show the crash log</source>
        <translation>Afficher le journal du plantage</translation>
    </message>
    <message>
        <source>The text that the program wrote when it crashed: %1</source>
        <translation>Le texte écrit par le programme lors du plantage : %1</translation>
    </message>
    <message>
        <source>Earlier work that was kept cannot be read</source>
        <translation>Un travail antérieur conservé ne peut pas être lu</translation>
    </message>
    <message>
        <source>It is of %1. %2</source>
        <translation>Il date du %1. %2</translation>
    </message>
    <message>
        <source>&amp;Keep</source>
        <translation>&amp;Conserver</translation>
    </message>
    <message>
        <source>Delete the file</source>
        <translation>Supprimer le fichier</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Conserver</translation>
    </message>
    <message>
        <source>Leave the file in its place, and do not mention it again</source>
        <translation>Laisser le fichier à sa place et ne plus le mentionner</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Fermer</translation>
    </message>
    <message>
        <source>Do not mention this crash again</source>
        <translation>Ne plus mentionner ce plantage</translation>
    </message>
    <message>
        <source>It crashed on %1. There is no unsaved work to recover. The crash log can help to find the cause.</source>
        <translation>Il a planté le %1. Il n&apos;y a pas de travail non enregistré à récupérer. Le journal du plantage peut aider à en trouver la cause.</translation>
    </message>
    <message>
        <source>%1 was changed by another window</source>
        <translation>%1 a été modifié par une autre fenêtre</translation>
    </message>
    <message>
        <source>It is not the session that this window opened or saved.</source>
        <translation>Ce n&apos;est plus la session que cette fenêtre a ouverte ou enregistrée.</translation>
    </message>
    <message>
        <source>Save &amp;as…</source>
        <translation>Enregistrer &amp;sous…</translation>
    </message>
    <message>
        <source>&amp;Overwrite</source>
        <translation>&amp;Remplacer</translation>
    </message>
    <message>
        <source>Save as</source>
        <translation>Enregistrer sous</translation>
    </message>
    <message>
        <source>Overwrite</source>
        <translation>Remplacer</translation>
    </message>
    <message>
        <source>The changes of the other window are lost</source>
        <translation>Les modifications de l&apos;autre fenêtre sont perdues</translation>
    </message>
</context>
<context>
    <name>Stage</name>
    <message>
        <source>reading the file</source>
        <translation>lecture du fichier</translation>
    </message>
    <message>
        <source>finding components</source>
        <translation>recherche des composantes</translation>
    </message>
    <message>
        <source>joining the parts of the image</source>
        <translation>raccord des parties de l&apos;image</translation>
    </message>
    <message>
        <source>ordering the components</source>
        <translation>mise en ordre des composantes</translation>
    </message>
    <message>
        <source>measuring the components</source>
        <translation>mesure des composantes</translation>
    </message>
    <message>
        <source>assigning the pixels</source>
        <translation>affectation des pixels</translation>
    </message>
    <message>
        <source>moving the contour</source>
        <translation>déplacement du contour</translation>
    </message>
    <message>
        <source>writing the file</source>
        <translation>écriture du fichier</translation>
    </message>
    <message>
        <source>finding the range of all pages</source>
        <translation>recherche de l’étendue de toutes les pages</translation>
    </message>
</context>
<context>
    <name>Stains</name>
    <message>
        <source>Stain %1 (own vectors)</source>
        <translation>Coloration %1 (vecteurs propres)</translation>
    </message>
</context>
<context>
    <name>Teach</name>
    <message>
        <source>Pixels are neighbours if they share a side.</source>
        <translation>Deux pixels sont voisins s&apos;ils partagent un côté.</translation>
    </message>
    <message>
        <source>Pixels are neighbours if they share a side or a corner.</source>
        <translation>Deux pixels sont voisins s&apos;ils partagent un côté ou un coin.</translation>
    </message>
    <message>
        <source>Draw the max-tree of this image (bright components).</source>
        <translation>Dessinez le max-tree de cette image (composantes claires).</translation>
    </message>
    <message>
        <source>Draw the min-tree of this image (dark components).</source>
        <translation>Dessinez le min-tree de cette image (composantes sombres).</translation>
    </message>
    <message>
        <source>Pixels of a node point to its last pixel in reading order, and that points to the last pixel of the node above. Which pixel does each pixel point to?</source>
        <translation>Les pixels d&apos;un nœud pointent vers son dernier pixel dans l&apos;ordre de lecture, et celui-ci vers le dernier pixel du nœud au-dessus. Vers quel pixel chaque pixel pointe-t-il ?</translation>
    </message>
    <message>
        <source>The max-tree of this image is filtered (bright components).</source>
        <translation>Le max-tree de cette image est filtré (composantes claires).</translation>
    </message>
    <message>
        <source>The min-tree of this image is filtered (dark components).</source>
        <translation>Le min-tree de cette image est filtré (composantes sombres).</translation>
    </message>
    <message>
        <source>A node meets the criterion if its area is at least %1 px.</source>
        <translation>Un nœud satisfait le critère si son aire est d&apos;au moins %1 px.</translation>
    </message>
    <message>
        <source>A node meets the criterion if its area is %1 to %2 px.</source>
        <translation>Un nœud satisfait le critère si son aire est de %1 à %2 px.</translation>
    </message>
    <message>
        <source>Which nodes are kept? Mark the last pixel of each in reading order. The root always stays.</source>
        <translation>Quels nœuds sont gardés ? Marquez le dernier pixel de chacun dans l&apos;ordre de lecture. La racine reste toujours.</translation>
    </message>
    <message>
        <source>Which level does each pixel of the filtered image have? The root always stays.</source>
        <translation>Quel niveau a chaque pixel de l&apos;image filtrée ? La racine reste toujours.</translation>
    </message>
    <message>
        <source>Objects are connected pixels of at least level %1. Number them in the order of their first pixels.</source>
        <translation>Les objets sont des pixels connexes de niveau au moins %1. Numérotez-les dans l&apos;ordre de leurs premiers pixels.</translation>
    </message>
    <message>
        <source>Direct rule: each node is judged alone.</source>
        <translation>Règle directe : chaque nœud est jugé seul.</translation>
    </message>
    <message>
        <source>Min rule: a node is removed if it or one of its ancestors fails.</source>
        <translation>Règle min : un nœud est retiré si lui ou l&apos;un de ses ancêtres échoue.</translation>
    </message>
    <message>
        <source>Max rule: a node is kept if it or one of its descendants meets the criterion.</source>
        <translation>Règle max : un nœud est gardé si lui ou l&apos;un de ses descendants satisfait le critère.</translation>
    </message>
    <message>
        <source>Viterbi rule: whole branches are removed so that as few decisions as possible change; if several ways are equal, the most nodes are kept.</source>
        <translation>Règle de Viterbi : des branches entières sont retirées, pour changer le moins de décisions possible ; de plusieurs façons, celle qui garde le plus de nœuds.</translation>
    </message>
    <message>
        <source>Subtractive rule: each node is judged alone; removed nodes take their contrast along.</source>
        <translation>Règle soustractive : chaque nœud est jugé seul ; les nœuds retirés emportent leur contraste.</translation>
    </message>
    <message>
        <source>for each node: area = number of its own pixels</source>
        <translation>pour chaque nœud : aire = nombre de ses pixels propres</translation>
    </message>
    <message>
        <source>for each node, from the leaves to the root:</source>
        <translation>pour chaque nœud, des feuilles à la racine :</translation>
    </message>
    <message>
        <source>    area of its parent += its area</source>
        <translation>    aire de son parent += son aire</translation>
    </message>
    <message>
        <source>for each node: sum = own pixels times level</source>
        <translation>pour chaque nœud : somme = pixels propres fois niveau</translation>
    </message>
    <message>
        <source>    sum of its parent += its sum</source>
        <translation>    somme de son parent += sa somme</translation>
    </message>
    <message>
        <source>for each node: volume = | sum - area times level of its parent |</source>
        <translation>pour chaque nœud : volume = | somme - aire fois niveau de son parent |</translation>
    </message>
    <message>
        <source>for each node: box = the box of its own pixels</source>
        <translation>pour chaque nœud : boîte = la boîte de ses pixels propres</translation>
    </message>
    <message>
        <source>    the box of its parent grows until it holds its box</source>
        <translation>    la boîte de son parent grandit jusqu&apos;à contenir la sienne</translation>
    </message>
    <message>
        <source>The node of %1 has %2 pixels of its own level %3.</source>
        <translation>Le nœud de %1 a %2 pixels de son propre niveau %3.</translation>
    </message>
    <message>
        <source>The node of %1 is complete: its parent, the node of %2, gets its %3 pixels and has %4.</source>
        <translation>Le nœud de %1 est complet : son parent, le nœud de %2, reçoit ses %3 pixels et en a %4.</translation>
    </message>
    <message>
        <source>The levels of the own pixels of the node of %1 add up to %2.</source>
        <translation>La somme des niveaux des pixels propres du nœud de %1 est %2.</translation>
    </message>
    <message>
        <source>The node of %1 gives its sum %3 to its parent, the node of %2, which has %4.</source>
        <translation>Le nœud de %1 donne sa somme %3 à son parent, le nœud de %2, qui a %4.</translation>
    </message>
    <message>
        <source>%2 pixels of the node of %1 stand on level %3 of its parent: the volume between is %4.</source>
        <translation>%2 pixels du nœud de %1 reposent sur le niveau %3 de son parent : le volume entre les deux est %4.</translation>
    </message>
    <message>
        <source>The root has no parent: its %1 pixels stand on its own level %2, and its volume is %3.</source>
        <translation>La racine n&apos;a pas de parent : ses %1 pixels reposent sur son propre niveau %2, et son volume est %3.</translation>
    </message>
    <message>
        <source>The own pixels of the node of %1 lie in a box of %2 by %3 pixels.</source>
        <translation>Les pixels propres du nœud de %1 sont dans une boîte de %2 sur %3 pixels.</translation>
    </message>
    <message>
        <source>The box of %2 has to contain the box of its child %1: it grows to %3 by %4 pixels.</source>
        <translation>La boîte de %2 doit contenir celle de son enfant %1 : elle passe à %3 sur %4 pixels.</translation>
    </message>
    <message>
        <source>Every node is measured. Each was visited once per value, however deep the tree is.</source>
        <translation>Chaque nœud est mesuré. Chacun a été visité une fois par valeur, quelle que soit la profondeur de l&apos;arbre.</translation>
    </message>
    <message>
        <source>Pixel</source>
        <translation>Pixel</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>Niveau</translation>
    </message>
    <message>
        <source>Area</source>
        <translation>Aire</translation>
    </message>
    <message>
        <source>Sum</source>
        <translation>Somme</translation>
    </message>
    <message>
        <source>Volume</source>
        <translation>Volume</translation>
    </message>
    <message>
        <source>Left</source>
        <translation>Gauche</translation>
    </message>
    <message>
        <source>Top</source>
        <translation>Haut</translation>
    </message>
    <message>
        <source>Right</source>
        <translation>Droite</translation>
    </message>
    <message>
        <source>Bottom</source>
        <translation>Bas</translation>
    </message>
    <message>
        <source>Attributes: from the leaves to the root</source>
        <translation>Attributs : des feuilles à la racine</translation>
    </message>
    <message>
        <source>Area, height and width of every component, each in one sweep over the tree: children pass their values to their parents.</source>
        <translation>L&apos;aire, la hauteur et la largeur de chaque composante, chacune en un passage sur l&apos;arbre : les enfants transmettent leurs valeurs à leurs parents.</translation>
    </message>
    <message>
        <source>in each block of threads: build the tree of a tile</source>
        <translation>dans chaque bloc de fils : construire l&apos;arbre d&apos;une tuile</translation>
    </message>
    <message>
        <source>    its border tree: the pixels of the rows that face another tile,</source>
        <translation>    son arbre de bord : les pixels des lignes qui touchent une autre tuile,</translation>
    </message>
    <message>
        <source>    and all their ancestors, packed into slots</source>
        <translation>    et tous leurs ancêtres, rangés dans des cases</translation>
    </message>
    <message>
        <source>for the seams below tiles: connect(p, q) in the border trees, for each edge that matters</source>
        <translation>pour les coutures sous les tuiles : relier(p, q) dans les arbres de bord, pour chaque arête utile</translation>
    </message>
    <message>
        <source>write the links of the border trees back into the image</source>
        <translation>récrire les liens des arbres de bord dans l&apos;image</translation>
    </message>
    <message>
        <source>for the seams right of tiles: connect(p, q) in the image, for each edge that matters</source>
        <translation>pour les coutures à droite des tuiles : relier(p, q) dans l&apos;image, pour chaque arête utile</translation>
    </message>
    <message>
        <source>    edges that cannot change the tree are left out</source>
        <translation>    les arêtes qui ne peuvent pas changer l&apos;arbre sont omises</translation>
    </message>
    <message>
        <source>let every pixel&apos;s parent be the canonical pixel of its node, or of the node above</source>
        <translation>le parent de chaque pixel devient le pixel canonique de son nœud, ou du nœud au-dessus</translation>
    </message>
    <message>
        <source>Thread %1 and its block build the tree of tile %2.</source>
        <translation>Le fil %1 et son bloc construisent l&apos;arbre de la tuile %2.</translation>
    </message>
    <message>
        <source>Tile %1: the %2 pixels that face the tile above or below get the first slots of its border tree.</source>
        <translation>Tuile %1 : les pixels face à la tuile d&apos;au-dessus ou d&apos;en dessous, %2, reçoivent les premières cases de son arbre de bord.</translation>
    </message>
    <message>
        <source>Tile %1, column %3: ancestors of the border pixels that have no slot yet get one, %2 in all. The rest of the branch has slots already.</source>
        <translation>Tuile %1, colonne %3 : les ancêtres des pixels de bord encore sans case en reçoivent une, %2 en tout. Le reste de la branche a déjà des cases.</translation>
    </message>
    <message>
        <source>Only pixels with a slot can change when tiles are joined with those below: threads work in this small memory, %1 slots instead of %2 pixels.</source>
        <translation>Seuls les pixels qui ont une case peuvent changer quand les tuiles sont réunies à celles d&apos;en dessous : les fils travaillent dans cette petite mémoire, %1 cases au lieu de %2 pixels.</translation>
    </message>
    <message>
        <source>%1 of the %2 edges across these seams are left out: others connect the same components.</source>
        <translation>%1 des %2 arêtes à travers ces coutures sont omises : d&apos;autres relient les mêmes composantes.</translation>
    </message>
    <message>
        <source>The links of all slots are written back to their pixels.</source>
        <translation>Les liens de toutes les cases sont récrits dans leurs pixels.</translation>
    </message>
    <message>
        <source>Each column of tiles is one region. Threads join it with the column to its right, in the image itself.</source>
        <translation>Chaque colonne de tuiles est une région. Des fils la réunissent à celle de droite, dans l&apos;image même.</translation>
    </message>
    <message>
        <source>All tiles are joined: the links form the tree of the whole image.</source>
        <translation>Toutes les tuiles sont réunies : les liens sont ceux de l&apos;arbre de l&apos;image entière.</translation>
    </message>
    <message>
        <source>Thread %1: the parent of %2 becomes the canonical pixel %3.</source>
        <translation>Fil %1 : le parent de %2 devient le pixel canonique %3.</translation>
    </message>
    <message>
        <source>Every pixel points to the canonical pixel of its node, or of the node above.</source>
        <translation>Chaque pixel pointe vers le pixel canonique de son nœud, ou du nœud au-dessus.</translation>
    </message>
    <message>
        <source>Max-tree on a GPU: border trees</source>
        <translation>Max-tree sur GPU : arbres de bord</translation>
    </message>
    <message>
        <source>Where two tiles meet, only the border pixels and their ancestors can change. They are packed into a small memory and joined there.</source>
        <translation>Là où deux tuiles se touchent, seuls les pixels de bord et leurs ancêtres peuvent changer. Ils sont rangés dans une petite mémoire et y sont réunis.</translation>
    </message>
    <message>
        <source>Max-tree on a GPU: boruvka, Pollard&apos;s own algorithm</source>
        <translation>Max-tree sur GPU : boruvka, l&apos;algorithme de Pollard</translation>
    </message>
    <message>
        <source>Components around the maxima are joined in rounds along the highest edges, which determines the end of every branch; sorting by branch and level gives the nodes.</source>
        <translation>Les composantes autour des maxima sont réunies par tours le long des arêtes les plus hautes, ce qui détermine la fin de chaque branche ; un tri par branche et niveau donne les nœuds.</translation>
    </message>
    <message>
        <source>in each thread, for each of its columns, from the last pixel to the first:</source>
        <translation>dans chaque fil, pour chacune de ses colonnes, du dernier pixel au premier :</translation>
    </message>
    <message>
        <source>    not lower than the last one: its parent is the last one</source>
        <translation>    pas plus bas que le dernier : son parent est le dernier</translation>
    </message>
    <message>
        <source>    lower: it takes over a parent, and becomes parent itself</source>
        <translation>    plus bas : il reprend un parent, et devient parent lui-même</translation>
    </message>
    <message>
        <source>meet; leave out edges that cannot change the tree</source>
        <translation>se retrouver ; omettre les arêtes qui ne peuvent pas changer l&apos;arbre</translation>
    </message>
    <message>
        <source>in each thread, for each boundary between two columns: connect(p, q) for each edge (p, q)</source>
        <translation>dans chaque fil, pour chaque frontière entre deux colonnes : relier(p, q) pour chaque arête (p, q)</translation>
    </message>
    <message>
        <source>meet; let every pixel&apos;s parent be the canonical pixel of its node, or of the node above</source>
        <translation>se retrouver ; le parent de chaque pixel devient le pixel canonique de son nœud, ou du nœud au-dessus</translation>
    </message>
    <message>
        <source>Thread %1 begins a column with its last pixel, %2: a tree of one pixel.</source>
        <translation>Le fil %1 commence une colonne par son dernier pixel, %2 : un arbre d&apos;un pixel.</translation>
    </message>
    <message>
        <source>Thread %1: the pixel above is %2, and its parent is %3.</source>
        <translation>Fil %1 : le pixel au-dessus est %2, et son parent est %3.</translation>
    </message>
    <message>
        <source>Thread %1: %2 is lower than the pixel below it, and takes over the parent %3.</source>
        <translation>Fil %1 : %2 est plus bas que le pixel au-dessous, et reprend le parent %3.</translation>
    </message>
    <message>
        <source>Thread %1: %2 is lower than all below it: the root of the column&apos;s tree.</source>
        <translation>Fil %1 : %2 est plus bas que tous ceux d&apos;en dessous : c&apos;est la racine de l&apos;arbre de la colonne.</translation>
    </message>
    <message>
        <source>Thread %1: the last one that is higher, %2, gets %3 as its parent.</source>
        <translation>Fil %1 : le dernier qui est plus haut, %2, reçoit %3 pour parent.</translation>
    </message>
    <message>
        <source>%1 of the %2 edges between columns are left out: others connect the same components.</source>
        <translation>%1 des %2 arêtes entre colonnes sont omises : d&apos;autres relient les mêmes composantes.</translation>
    </message>
    <message>
        <source>Every column has its tree. Threads join neighbouring columns, all at the same time.</source>
        <translation>Chaque colonne a son arbre. Des fils réunissent les colonnes voisines, tous en même temps.</translation>
    </message>
    <message>
        <source>Max-tree on a GPU: column trees, joined by many threads</source>
        <translation>Max-tree sur GPU : arbres de colonnes, réunis par de nombreux fils</translation>
    </message>
    <message>
        <source>Every column gets a tree of its own; then threads connect neighbouring columns, all in the same links at the same time, without locks.</source>
        <translation>Chaque colonne reçoit son propre arbre ; puis des fils relient les colonnes voisines, tous dans les mêmes liens en même temps, sans verrous.</translation>
    </message>
    <message>
        <source>The node of %1 meets the criterion.</source>
        <translation>Le nœud de %1 satisfait le critère.</translation>
    </message>
    <message>
        <source>The node of %1 does not meet the criterion.</source>
        <translation>Le nœud de %1 ne satisfait pas le critère.</translation>
    </message>
    <message>
        <source>The node of %1 has %2, which meets the criterion.</source>
        <translation>Le nœud de %1 a %2, ce qui satisfait le critère.</translation>
    </message>
    <message>
        <source>The node of %1 has %2, which does not meet the criterion.</source>
        <translation>Le nœud de %1 a %2, ce qui ne satisfait pas le critère.</translation>
    </message>
    <message>
        <source>The root is kept: the image needs a background.</source>
        <translation>La racine est gardée : l&apos;image a besoin d&apos;un fond.</translation>
    </message>
    <message>
        <source>The root stays under every rule: the image needs a background.</source>
        <translation>La racine reste sous toute règle : l&apos;image a besoin d&apos;un fond.</translation>
    </message>
    <message>
        <source>Every pixel has the level of its node: this is the filtered image.</source>
        <translation>Chaque pixel a le niveau de son nœud : voilà l&apos;image filtrée.</translation>
    </message>
    <message>
        <source>The own pixels of the root keep its level %1.</source>
        <translation>Les pixels propres de la racine gardent son niveau %1.</translation>
    </message>
    <message>
        <source>The node of %1 was kept: its own pixels keep its level %2.</source>
        <translation>Le nœud de %1 a été gardé : ses pixels propres gardent son niveau %2.</translation>
    </message>
    <message>
        <source>The node of %1 was removed: its own pixels get %2, like the pixels of %3 above it.</source>
        <translation>Le nœud de %1 a été retiré : ses pixels propres reçoivent %2, comme ceux de %3 au-dessus.</translation>
    </message>
    <message>
        <source>The node of %1 was kept: on %4 of its parent %3 it puts its contrast, which gives %2.</source>
        <translation>Le nœud de %1 a été gardé : sur %4 de son parent %3 il pose son contraste, ce qui donne %2.</translation>
    </message>
    <message>
        <source>The node of %1 was removed: its contrast goes, and %2 is left, as in %3 above it.</source>
        <translation>Le nœud de %1 a été retiré : son contraste part, et il reste %2, comme dans %3 au-dessus.</translation>
    </message>
    <message>
        <source>for each node:</source>
        <translation>pour chaque nœud :</translation>
    </message>
    <message>
        <source>    keep it if it meets the criterion, else remove it</source>
        <translation>    le garder s&apos;il satisfait le critère, sinon le retirer</translation>
    </message>
    <message>
        <source>keep the root</source>
        <translation>garder la racine</translation>
    </message>
    <message>
        <source>for each node, from the root to the leaves:</source>
        <translation>pour chaque nœud, de la racine aux feuilles :</translation>
    </message>
    <message>
        <source>    if it is kept: its pixels keep its level</source>
        <translation>    s&apos;il est gardé : ses pixels gardent son niveau</translation>
    </message>
    <message>
        <source>    else: its pixels get the level of its parent&apos;s pixels</source>
        <translation>    sinon : ses pixels reçoivent le niveau des pixels de son parent</translation>
    </message>
    <message>
        <source>    if its parent is removed: remove it</source>
        <translation>    si son parent est retiré : le retirer</translation>
    </message>
    <message>
        <source>    if it is kept: keep its parent</source>
        <translation>    s&apos;il est gardé : garder son parent</translation>
    </message>
    <message>
        <source>    keep it if that changes no more decisions than removing all in it</source>
        <translation>    le garder si cela ne change pas plus de décisions que retirer tout ce qu&apos;il contient</translation>
    </message>
    <message>
        <source>    if it is kept: its level = new level of its parent + its contrast</source>
        <translation>    s&apos;il est gardé : son niveau = nouveau niveau de son parent + son contraste</translation>
    </message>
    <message>
        <source>    else: its level = new level of its parent</source>
        <translation>    sinon : son niveau = nouveau niveau de son parent</translation>
    </message>
    <message>
        <source>The node of %1 meets the criterion, but lies in %2, which is removed: it is removed too.</source>
        <translation>Le nœud de %1 satisfait le critère, mais il est dans %2, qui est retiré : il est retiré aussi.</translation>
    </message>
    <message>
        <source>The parent of %1 is %2: the decision stays.</source>
        <translation>Le parent de %1 est %2 : la décision reste.</translation>
    </message>
    <message>
        <source>%1 is kept, so its parent %2 is kept too: a component needs the one around it.</source>
        <translation>%1 est gardé, donc son parent %2 l&apos;est aussi : une composante a besoin de celle qui l&apos;entoure.</translation>
    </message>
    <message>
        <source>%1 is removed: the decision about its parent %2 stays.</source>
        <translation>%1 est retiré : la décision sur son parent %2 reste.</translation>
    </message>
    <message>
        <source>Keeping %1 costs %2 decisions more than removing it with all in it: it may stay.</source>
        <translation>Garder %1 coûte %2 décisions de plus que le retirer avec son contenu : il peut rester.</translation>
    </message>
    <message>
        <source>Keeping %1 costs %2 decisions more than removing it with all in it: it is removed.</source>
        <translation>Garder %1 coûte %2 décisions de plus que le retirer avec son contenu : il est retiré.</translation>
    </message>
    <message>
        <source>%1 lies in %2, which is removed: it is removed too.</source>
        <translation>%1 est dans %2, qui est retiré : il est retiré aussi.</translation>
    </message>
    <message>
        <source>Filter: direct rule</source>
        <translation>Filtre : règle directe</translation>
    </message>
    <message>
        <source>Every node is judged alone; pixels of removed nodes fall to the nearest kept node above them.</source>
        <translation>Chaque nœud est jugé seul ; les pixels des nœuds retirés tombent au nœud gardé le plus proche au-dessus.</translation>
    </message>
    <message>
        <source>Filter: min rule</source>
        <translation>Filtre : règle min</translation>
    </message>
    <message>
        <source>A node stays only if all nodes that hold it stay: branches are cut at the first node that fails.</source>
        <translation>Un nœud ne reste que si tous ceux qui le contiennent restent : les branches sont coupées au premier nœud qui échoue.</translation>
    </message>
    <message>
        <source>Filter: max rule</source>
        <translation>Filtre : règle max</translation>
    </message>
    <message>
        <source>A node stays if anything in it stays: branches are cut above the last node that meets the criterion.</source>
        <translation>Un nœud reste si quelque chose en lui reste : les branches sont coupées au-dessus du dernier nœud qui satisfait le critère.</translation>
    </message>
    <message>
        <source>Filter: Viterbi rule</source>
        <translation>Filtre : règle de Viterbi</translation>
    </message>
    <message>
        <source>Branches are cut where that changes the fewest decisions of the criterion.</source>
        <translation>Les branches sont coupées là où cela change le moins de décisions du critère.</translation>
    </message>
    <message>
        <source>Filter: subtractive rule</source>
        <translation>Filtre : règle soustractive</translation>
    </message>
    <message>
        <source>Removed nodes take their contrast along: kept nodes above them sink with them and keep their shapes.</source>
        <translation>Les nœuds retirés emportent leur contraste : les nœuds gardés au-dessus descendent avec eux et conservent leur forme.</translation>
    </message>
    <message>
        <source>while a level is open, take the highest one:</source>
        <translation>tant qu&apos;un niveau est ouvert, prendre le plus haut :</translation>
    </message>
    <message>
        <source>    p = the next pixel of its queue; its parent is the level&apos;s first pixel</source>
        <translation>    p = le pixel suivant de sa file ; son parent est le premier pixel du niveau</translation>
    </message>
    <message>
        <source>    for each neighbour n of p that was in no queue yet:</source>
        <translation>    pour chaque voisin n de p qui n&apos;a encore été dans aucune file :</translation>
    </message>
    <message>
        <source>        put n into the queue of its level</source>
        <translation>        mettre n dans la file de son niveau</translation>
    </message>
    <message>
        <source>        if n is higher than p: flood n&apos;s level before continuing with p</source>
        <translation>        si n est plus haut que p : inonder le niveau de n avant de continuer avec p</translation>
    </message>
    <message>
        <source>    if the queue is empty: close the level; its parent is the highest that is still open</source>
        <translation>    si la file est vide : fermer le niveau ; son parent est le plus haut encore ouvert</translation>
    </message>
    <message>
        <source>name every node after its last pixel</source>
        <translation>nommer chaque nœud d&apos;après son dernier pixel</translation>
    </message>
    <message>
        <source>%1 leaves the queue: it is the first pixel of its node.</source>
        <translation>%1 quitte la file : c&apos;est le premier pixel de son nœud.</translation>
    </message>
    <message>
        <source>%1 leaves the queue of level %2: it belongs to the node of %3.</source>
        <translation>%1 quitte la file du niveau %2 : il appartient au nœud de %3.</translation>
    </message>
    <message>
        <source>The neighbour %1 of %2 is put into the queue of level %3.</source>
        <translation>Le voisin %1 de %2 est mis dans la file du niveau %3.</translation>
    </message>
    <message>
        <source>The neighbour %1 is higher than %2: its level %3 is flooded first, and %2 waits.</source>
        <translation>Le voisin %1 est plus haut que %2 : son niveau %3 est inondé d&apos;abord, et %2 attend.</translation>
    </message>
    <message>
        <source>The queue of level %1 is empty: the node of %2 is complete, and the node of %3 is its parent.</source>
        <translation>La file du niveau %1 est vide : le nœud de %2 est complet, et celui de %3 est son parent.</translation>
    </message>
    <message>
        <source>The queue of level %1 is empty, and no lower level is open: %2 is root.</source>
        <translation>La file du niveau %1 est vide, et aucun niveau plus bas n&apos;est ouvert : %2 est racine.</translation>
    </message>
    <message>
        <source>The last pixel of the node of %1 is %2: all pixels that pointed to %1 point to %2, the canonical pixel.</source>
        <translation>Le dernier pixel du nœud de %1 est %2 : tous les pixels qui pointaient vers %1 pointent vers %2, le pixel canonique.</translation>
    </message>
    <message>
        <source>Max-tree: flooding with a queue for every level</source>
        <translation>Max-tree : inondation avec une file par niveau</translation>
    </message>
    <message>
        <source>between two neighbouring columns u and v, for each row k:</source>
        <translation>entre deux colonnes voisines u et v, pour chaque ligne k :</translation>
    </message>
    <message>
        <source>    8-connected: (u[k], v[k]), (u[k-1], v[k]) and (u[k], v[k-1]) are edges</source>
        <translation>    8-connexe : (u[k], v[k]), (u[k-1], v[k]) et (u[k], v[k-1]) sont des arêtes</translation>
    </message>
    <message>
        <source>        1: keep only the edge between the higher of u[k-1], u[k] and the higher of v[k-1], v[k], if it exists</source>
        <translation>        1 : garder celle du plus haut de u[k-1], u[k] et du plus haut de v[k-1], v[k], si elle en fait partie</translation>
    </message>
    <message>
        <source>        2: leave (u[k], v[k]) out as well if u or v rises in the next row</source>
        <translation>        2 : omettre aussi (u[k], v[k]) si u ou v monte à la ligne suivante</translation>
    </message>
    <message>
        <source>    4-connected: (u[k], v[k]) is an edge</source>
        <translation>    4-connexe : (u[k], v[k]) est une arête</translation>
    </message>
    <message>
        <source>        3: leave it out if the edge before is as high, or the next edge higher</source>
        <translation>        3 : l&apos;omettre si celle de la ligne d&apos;avant est aussi haute, ou celle de la suivante plus haute</translation>
    </message>
    <message>
        <source>build the tree of the edges that are kept</source>
        <translation>construire l&apos;arbre des arêtes gardées</translation>
    </message>
    <message>
        <source>The edges within columns stay. Of the %1 edges between columns some cannot change the tree.</source>
        <translation>Les arêtes dans les colonnes restent. Des %1 arêtes entre colonnes, certaines ne peuvent pas changer l&apos;arbre.</translation>
    </message>
    <message>
        <source>In the first row there is only the edge between %1 and %2, and no edge before it to replace it.</source>
        <translation>À la première ligne il n&apos;y a que l&apos;arête entre %1 et %2, et aucune arête avant pour la remplacer.</translation>
    </message>
    <message>
        <source>Proposition 1: of these four pixels, %1 and %2 are the higher ones of their columns. Their edge makes the others superfluous: they are left out.</source>
        <translation>Proposition 1 : de ces quatre pixels, %1 et %2 sont les plus hauts de leurs colonnes. Leur arête rend les autres superflues : elles sont omises.</translation>
    </message>
    <message>
        <source>Proposition 1: %1 and %2 are not higher than the pixels before them, %3 and %4, which are neighbours: all three edges are left out.</source>
        <translation>Proposition 1 : %1 et %2 ne sont pas plus hauts que les pixels d&apos;avant, %3 et %4, qui sont voisins : les trois arêtes sont omises.</translation>
    </message>
    <message>
        <source>Proposition 2: the next pixel %3 is higher than the one before it. An edge of the next row replaces the edge between %1 and %2, which is left out.</source>
        <translation>Proposition 2 : le pixel suivant %3 est plus haut que celui d&apos;avant. Une arête de la ligne suivante remplace celle entre %1 et %2, qui est omise.</translation>
    </message>
    <message>
        <source>The edge between %1 and %2 is kept: its neighbours do not connect the columns as high up.</source>
        <translation>L&apos;arête entre %1 et %2 est gardée : celles d&apos;à côté ne relient pas les colonnes aussi haut.</translation>
    </message>
    <message>
        <source>Proposition 3: the edge before, between %3 and %4, connects the columns at least as high as that between %1 and %2, which is left out.</source>
        <translation>Proposition 3 : l&apos;arête d&apos;avant, entre %3 et %4, relie les colonnes au moins aussi haut que celle entre %1 et %2, qui est omise.</translation>
    </message>
    <message>
        <source>Proposition 3: the next edge, between %3 and %4, connects the columns higher than that between %1 and %2, which is left out.</source>
        <translation>Proposition 3 : l&apos;arête suivante, entre %3 et %4, relie les colonnes plus haut que celle entre %1 et %2, qui est omise.</translation>
    </message>
    <message>
        <source>The tree is built from the edges that are kept: %1 of %2.</source>
        <translation>L&apos;arbre est construit avec les arêtes gardées : %1 sur %2.</translation>
    </message>
    <message>
        <source>It is the tree of all edges: nothing was lost.</source>
        <translation>C&apos;est l&apos;arbre de toutes les arêtes : rien n&apos;a été perdu.</translation>
    </message>
    <message>
        <source>Which edges of the grid the tree does not need</source>
        <translation>Les arêtes de la grille dont l&apos;arbre n&apos;a pas besoin</translation>
    </message>
    <message>
        <source>Between two columns that are each connected, one edge per row is enough, often none: three propositions select them.</source>
        <translation>Entre deux colonnes chacune connexe, une arête par ligne suffit, souvent aucune : trois propositions les choisissent.</translation>
    </message>
    <message>
        <source>every row becomes a word: bit x is set where pixel x is at least the threshold</source>
        <translation>chaque ligne devient un mot : le bit x est à 1 où le pixel x atteint le seuil</translation>
    </message>
    <message>
        <source>strips of 4 rows, a block each, a warp a row, a thread a pixel:</source>
        <translation>des bandes de 4 lignes, un bloc chacune, un warp par ligne, un fil par pixel :</translation>
    </message>
    <message>
        <source>    if a run starts at my pixel: its label is the pixel&apos;s number</source>
        <translation>    si une plage commence à mon pixel : son étiquette est le numéro du pixel</translation>
    </message>
    <message>
        <source>    if my pixel and the one above are set, and one of their runs starts here:</source>
        <translation>    si mon pixel et celui d&apos;au-dessus sont à 1, et qu&apos;une de leurs plages commence ici :</translation>
    </message>
    <message>
        <source>        join(start of my run, start of the run above)</source>
        <translation>        réunir(début de ma plage, début de la plage d&apos;au-dessus)</translation>
    </message>
    <message>
        <source>the same for the first row of each strip and the last one of the strip above</source>
        <translation>de même pour la première ligne de chaque bande et la dernière de la bande au-dessus</translation>
    </message>
    <message>
        <source>join(a, b): climb to the roots a and b; the larger one gets the label of the smaller</source>
        <translation>réunir(a, b) : monter aux racines a et b ; la plus grande reçoit l&apos;étiquette de la plus petite</translation>
    </message>
    <message>
        <source>    if it is not a root any longer: continue with the label that it points to</source>
        <translation>    si ce n&apos;est plus une racine : continuer avec l&apos;étiquette vers laquelle elle pointe</translation>
    </message>
    <message>
        <source>count the roots of each row, and the roots of all rows before</source>
        <translation>compter les racines de chaque ligne, et celles de toutes les lignes d&apos;avant</translation>
    </message>
    <message>
        <source>every pixel: find the start of its run, and take the start&apos;s root as label</source>
        <translation>chaque pixel : trouver le début de sa plage, et prendre sa racine pour étiquette</translation>
    </message>
    <message>
        <source>every root: its label is 1 + number of the roots before it; all its pixels take it</source>
        <translation>chaque racine : son étiquette est 1 + le nombre de racines avant elle ; tous ses pixels la prennent</translation>
    </message>
    <message>
        <source>Row %1 becomes a word: %2.</source>
        <translation>La ligne %1 devient un mot : %2.</translation>
    </message>
    <message>
        <source>A run starts at %1: the bit before it is 0. Its label is the pixel&apos;s own number, %2.</source>
        <translation>Une plage commence en %1 : le bit d&apos;avant est 0. Son étiquette est le numéro du pixel, %2.</translation>
    </message>
    <message>
        <source>%1 and the pixel above are set; to the starts of their runs it is %2 and %3 pixels back.</source>
        <translation>%1 et le pixel d&apos;au-dessus sont à 1 ; les débuts de leurs plages sont %2 et %3 pixels en arrière.</translation>
    </message>
    <message>
        <source>%1 and the pixel above, of another strip, are set; their runs start %2 and %3 pixels back.</source>
        <translation>%1 et le pixel d&apos;au-dessus, d&apos;une autre bande, sont à 1 ; leurs plages commencent %2 et %3 pixels en arrière.</translation>
    </message>
    <message>
        <source>The roots of both are %1 and %2: the larger one points to the smaller.</source>
        <translation>Leurs racines sont %1 et %2 : la plus grande pointe vers la plus petite.</translation>
    </message>
    <message>
        <source>Another thread was faster: %1 pointed to %3 already. It points to %2, and %3 remains to be joined.</source>
        <translation>Un autre fil a été plus rapide : %1 pointait déjà vers %3. Il pointe vers %2, et %3 reste à réunir.</translation>
    </message>
    <message>
        <source>Both are in one tree already: nothing to do at %1.</source>
        <translation>Les deux sont déjà dans un même arbre : rien à faire en %1.</translation>
    </message>
    <message>
        <source>Roots in row %1, starts of runs that point to themselves: %2.</source>
        <translation>Racines de la ligne %1, débuts de plages qui pointent vers eux-mêmes : %2.</translation>
    </message>
    <message>
        <source>The sums are the numbers of roots before each row. Of all rows: %1.</source>
        <translation>Les sommes sont les nombres de racines avant chaque ligne. En tout : %1.</translation>
    </message>
    <message>
        <source>%1 counts the set bits before its own: the run starts %2 back, at %3. Its root is the label, %4.</source>
        <translation>%1 compte les bits à 1 avant le sien : la plage commence %2 en arrière, en %3. Sa racine est l&apos;étiquette, %4.</translation>
    </message>
    <message>
        <source>Roots before %1: %2. Its object gets the label %3.</source>
        <translation>Racines avant %1 : %2. Son objet reçoit l&apos;étiquette %3.</translation>
    </message>
    <message>
        <source>Every object has its number, in the order of the first pixels. Objects: %1.</source>
        <translation>Chaque objet a son numéro, dans l&apos;ordre des premiers pixels. Objets : %1.</translation>
    </message>
    <message>
        <source>Row</source>
        <translation>Ligne</translation>
    </message>
    <message>
        <source>Roots</source>
        <translation>Racines</translation>
    </message>
    <message>
        <source>Roots before</source>
        <translation>Racines avant</translation>
    </message>
    <message>
        <source>Objects: HA4, bits and runs</source>
        <translation>Objets : HA4, bits et plages</translation>
    </message>
    <message>
        <source>How a GPU numbers objects: rows of pixels are words of bits, and runs of bits are joined wherever they touch, all at the same time.</source>
        <translation>Comment un GPU numérote des objets : les lignes de pixels sont des mots de bits, et les plages de bits sont réunies partout où elles se touchent, toutes en même temps.</translation>
    </message>
    <message>
        <source>for each edge: the sums of pixels, levels and squared levels on its left</source>
        <translation>pour chaque arête : les sommes des pixels, des niveaux et de leurs carrés à sa gauche</translation>
    </message>
    <message>
        <source>add them up, downward edges with +, upward ones with -: these are the sums inside</source>
        <translation>les additionner, arêtes descendantes avec +, montantes avec - : ce sont les sommes de l&apos;intérieur</translation>
    </message>
    <message>
        <source>energy = n/2 ln(variance) of the n pixels inside + the same of the pixels outside</source>
        <translation>énergie = n/2 ln(variance) des n pixels intérieurs + la même des extérieurs</translation>
    </message>
    <message>
        <source>at a distance of 4, 2 and 1 px, for each node in turn:</source>
        <translation>à une distance de 4, 2 et 1 px, pour chaque nœud tour à tour :</translation>
    </message>
    <message>
        <source>    for each of the 8 places around it: sums of its two new edges instead of the old ones</source>
        <translation>    pour chacune des 8 places autour : les sommes de ses deux nouvelles arêtes au lieu des anciennes</translation>
    </message>
    <message>
        <source>    take the place of the lowest energy, if it is lower and the contour does not touch itself</source>
        <translation>    prendre la place d&apos;énergie la plus basse, si elle est plus basse et que le contour ne se touche pas</translation>
    </message>
    <message>
        <source>split long edges in their middle, and begin anew</source>
        <translation>diviser les longues arêtes en leur milieu, et recommencer</translation>
    </message>
    <message>
        <source>until nothing moves and nothing is split</source>
        <translation>jusqu&apos;à ce que rien ne bouge et que rien ne soit divisé</translation>
    </message>
    <message>
        <source>The image is too small: there has to be an inside and an outside.</source>
        <translation>L&apos;image est trop petite : il faut un intérieur et un extérieur.</translation>
    </message>
    <message>
        <source>Edge %1: %2 pixels are on its left, and their levels add up to %3.</source>
        <translation>Arête %1 : à sa gauche il y a %2 pixels, et la somme de leurs niveaux est %3.</translation>
    </message>
    <message>
        <source>Edge %1 goes up: the pixels on its left are subtracted, %2 pixels that add up to %3.</source>
        <translation>L&apos;arête %1 monte : les pixels à sa gauche sont soustraits, %2 pixels dont la somme est %3.</translation>
    </message>
    <message>
        <source>Edge %1 is horizontal: it adds nothing.</source>
        <translation>L&apos;arête %1 est horizontale : elle n&apos;ajoute rien.</translation>
    </message>
    <message>
        <source>All edges together: %1 pixels inside, with a mean of %2.</source>
        <translation>Toutes les arêtes ensemble : %1 pixels à l&apos;intérieur, de moyenne %2.</translation>
    </message>
    <message>
        <source>The variance is %1 inside and %2 outside: the energy, in hundredths, is %3.</source>
        <translation>La variance est %1 à l&apos;intérieur et %2 à l&apos;extérieur : l&apos;énergie, en centièmes, est %3.</translation>
    </message>
    <message>
        <source>Nodes are tried at a distance of %1 px.</source>
        <translation>Les nœuds sont essayés à une distance de %1 px.</translation>
    </message>
    <message>
        <source>Node %1 is tried at (%2, %3): the energy would be %4 hundredths.</source>
        <translation>Le nœud %1 est essayé en (%2, %3) : l&apos;énergie serait de %4 centièmes.</translation>
    </message>
    <message>
        <source>Node %1 is tried at (%2, %3): too few pixels would be left on one side.</source>
        <translation>Le nœud %1 est essayé en (%2, %3) : il resterait trop peu de pixels d&apos;un côté.</translation>
    </message>
    <message>
        <source>Node %1 cannot go to (%2, %3): the contour would touch itself.</source>
        <translation>Le nœud %1 ne peut pas aller en (%2, %3) : le contour se toucherait.</translation>
    </message>
    <message>
        <source>Node %1 moves to (%2, %3): the energy falls to %4 hundredths.</source>
        <translation>Le nœud %1 va en (%2, %3) : l&apos;énergie tombe à %4 centièmes.</translation>
    </message>
    <message>
        <source>Nothing moves. Long edges get a node in their middle: there are %1 nodes.</source>
        <translation>Rien ne bouge. Les longues arêtes reçoivent un nœud au milieu : il y a %1 nœuds.</translation>
    </message>
    <message>
        <source>Nothing moves and nothing is split: the contour is done after %1 changes, with energy %2.</source>
        <translation>Rien ne bouge et rien n&apos;est divisé : le contour est fini après %1 changements, d&apos;énergie %2.</translation>
    </message>
    <message>
        <source>Inside</source>
        <translation>Intérieur</translation>
    </message>
    <message>
        <source>Mean inside</source>
        <translation>Moyenne intérieure</translation>
    </message>
    <message>
        <source>Variance inside</source>
        <translation>Variance intérieure</translation>
    </message>
    <message>
        <source>Outside</source>
        <translation>Extérieur</translation>
    </message>
    <message>
        <source>Mean outside</source>
        <translation>Moyenne extérieure</translation>
    </message>
    <message>
        <source>Variance outside</source>
        <translation>Variance extérieure</translation>
    </message>
    <message>
        <source>Energy x 100</source>
        <translation>Énergie × 100</translation>
    </message>
    <message>
        <source>Contour: the region snake</source>
        <translation>Contour : le serpent de régions</translation>
    </message>
    <message>
        <source>A polygon finds the border between two regions: its nodes move as long as inside and outside become more uniform.</source>
        <translation>Un polygone trouve le bord entre deux régions : ses nœuds bougent tant que l&apos;intérieur et l&apos;extérieur deviennent plus homogènes.</translation>
    </message>
    <message>
        <source>for the seams below tiles, then for the seams on their right:</source>
        <translation>pour les coutures sous les tuiles, puis pour celles à leur droite :</translation>
    </message>
    <message>
        <source>    leave out edges that cannot change the tree</source>
        <translation>    omettre les arêtes qui ne peuvent pas changer l&apos;arbre</translation>
    </message>
    <message>
        <source>    in each thread: connect(p, q) for its share of the other edges (p, q)</source>
        <translation>    dans chaque fil : relier(p, q) pour sa part des autres arêtes (p, q)</translation>
    </message>
    <message>
        <source>Thread %1 and its block build the tree of tile %2, as if it were the whole image.</source>
        <translation>Le fil %1 et son bloc construisent l&apos;arbre de la tuile %2, comme si c&apos;était toute l&apos;image.</translation>
    </message>
    <message>
        <source>All tiles have trees. Threads join them with the tiles below.</source>
        <translation>Toutes les tuiles ont leur arbre. Des fils les réunissent aux tuiles d&apos;en dessous.</translation>
    </message>
    <message>
        <source>Each column of tiles is one region. Threads join it with the column to its right.</source>
        <translation>Chaque colonne de tuiles est une région. Des fils la réunissent à celle de droite.</translation>
    </message>
    <message>
        <source>Max-tree on a GPU: tiles, joined along their seams</source>
        <translation>Max-tree sur GPU : tuiles, réunies le long de leurs coutures</translation>
    </message>
    <message>
        <source>Blocks of threads build trees of tiles; then all threads connect neighbouring tiles, and in the end every pixel finds its canonical parent.</source>
        <translation>Des blocs de fils construisent les arbres des tuiles ; puis tous les fils relient les tuiles voisines, et à la fin chaque pixel trouve son parent canonique.</translation>
    </message>
    <message>
        <source>label the objects: every pixel gets the number of its object&apos;s root</source>
        <translation>étiqueter les objets : chaque pixel reçoit le numéro de la racine de son objet</translation>
    </message>
    <message>
        <source>every two neighbours in a row become a node with their label and their measurements: a tree of its own</source>
        <translation>deux voisins d&apos;une ligne deviennent un nœud avec leur étiquette et leurs mesures : un arbre à lui seul</translation>
    </message>
    <message>
        <source>in blocks of 8 nodes, in shared memory: 1 and 1 trees become one, then 2 and 2, 4 and 4</source>
        <translation>par blocs de 8 nœuds, en mémoire partagée : 1 et 1 arbres n&apos;en font qu&apos;un, puis 2 et 2, 4 et 4</translation>
    </message>
    <message>
        <source>in global memory: 8 and 8, 16 and 16, ... until one tree is left</source>
        <translation>en mémoire globale : 8 et 8, 16 et 16, ... jusqu&apos;à ce qu&apos;il reste un arbre</translation>
    </message>
    <message>
        <source>    every node of the right tree on its own: insert(node, root of the left tree)</source>
        <translation>    chaque nœud de l&apos;arbre de droite pour lui-même : insérer(nœud, racine de l&apos;arbre de gauche)</translation>
    </message>
    <message>
        <source>insert: climb down, left or right by the next bit of the label&apos;s key</source>
        <translation>insérer : descendre, à gauche ou à droite selon le bit suivant de la clé de l&apos;étiquette</translation>
    </message>
    <message>
        <source>    a free place: the node stays there</source>
        <translation>    une place libre : le nœud y reste</translation>
    </message>
    <message>
        <source>    a node with the same label: it takes over the measurements, and the node is empty</source>
        <translation>    un nœud de même étiquette : il reprend les mesures, et le nœud est vide</translation>
    </message>
    <message>
        <source>sizes: every leaf climbs and counts; where two paths meet, the second continues with both counts</source>
        <translation>tailles : chaque feuille monte et compte ; où deux chemins se rejoignent, le second continue avec les deux comptes</translation>
    </message>
    <message>
        <source>every node moves to its place in preorder: a list without gaps</source>
        <translation>chaque nœud va à sa place en préordre : une liste sans trous</translation>
    </message>
    <message>
        <source>Objects with labels: %1. Their measurements are missing.</source>
        <translation>Les objets sont étiquetés : %1. Leurs mesures manquent.</translation>
    </message>
    <message>
        <source>Node %1 stands for the pixel %2 and its neighbour: label %3, pixels: %4.</source>
        <translation>Le nœud %1 représente le pixel %2 et son voisin : étiquette %3, pixels : %4.</translation>
    </message>
    <message>
        <source>Node %1 leaves its children behind: other threads insert them.</source>
        <translation>Le nœud %1 laisse ses enfants derrière lui : d&apos;autres fils les insèrent.</translation>
    </message>
    <message>
        <source>Node %1 of label %2 finds a free place to the left of node %3.</source>
        <translation>Le nœud %1 d&apos;étiquette %2 trouve une place libre à gauche du nœud %3.</translation>
    </message>
    <message>
        <source>Node %1 of label %2 finds a free place to the right of node %3.</source>
        <translation>Le nœud %1 d&apos;étiquette %2 trouve une place libre à droite du nœud %3.</translation>
    </message>
    <message>
        <source>Node %1 finds node %2 with its own label %3: node %2 has %4 pixels, and node %1 is empty.</source>
        <translation>Le nœud %1 trouve le nœud %2 avec sa propre étiquette %3 : le nœud %2 a %4 pixels, et le nœud %1 est vide.</translation>
    </message>
    <message>
        <source>Block %1 is done: the root of its tree is node %2.</source>
        <translation>Le bloc %1 est fini : la racine de son arbre est le nœud %2.</translation>
    </message>
    <message>
        <source>Block %1 holds no object.</source>
        <translation>Le bloc %1 ne contient aucun objet.</translation>
    </message>
    <message>
        <source>Trees of %1 places are merged in pairs, all at the same time.</source>
        <translation>Des arbres de %1 places sont fusionnés deux à deux, tous en même temps.</translation>
    </message>
    <message>
        <source>Nodes in the subtree of node %1, itself included: %2.</source>
        <translation>Nœuds du sous-arbre du nœud %1, lui compris : %2.</translation>
    </message>
    <message>
        <source>Before node %1 of label %2 come %3 nodes: this is its place in the list.</source>
        <translation>Avant le nœud %1 d&apos;étiquette %2 viennent %3 nœuds : c&apos;est sa place dans la liste.</translation>
    </message>
    <message>
        <source>Every object has one node with all its measurements. Objects: %1.</source>
        <translation>Chaque objet a un nœud avec toutes ses mesures. Objets : %1.</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>Nœud</translation>
    </message>
    <message>
        <source>Label</source>
        <translation>Étiquette</translation>
    </message>
    <message>
        <source>Parent</source>
        <translation>Parent</translation>
    </message>
    <message>
        <source>Pixels</source>
        <translation>Pixels</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Taille</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>Place</translation>
    </message>
    <message>
        <source>Objects: the tree merge kernel</source>
        <translation>Objets : le noyau de fusion d&apos;arbres</translation>
    </message>
    <message>
        <source>How a GPU measures objects: small binary trees of labels are merged in pairs, and nodes with the same label are added up.</source>
        <translation>Comment un GPU mesure des objets : de petits arbres binaires d&apos;étiquettes sont fusionnés deux à deux, et les nœuds de même étiquette sont additionnés.</translation>
    </message>
    <message>
        <source>sort the pixels by level</source>
        <translation>trier les pixels par niveau</translation>
    </message>
    <message>
        <source>for each pixel p, from the brightest:</source>
        <translation>pour chaque pixel p, du plus clair :</translation>
    </message>
    <message>
        <source>    p becomes a tree of its own</source>
        <translation>    p devient un arbre à lui seul</translation>
    </message>
    <message>
        <source>    for each neighbour n that is visited already:</source>
        <translation>    pour chaque voisin n déjà visité :</translation>
    </message>
    <message>
        <source>        r = the root of n&apos;s tree</source>
        <translation>        r = la racine de l&apos;arbre de n</translation>
    </message>
    <message>
        <source>        if r is not p: the parent of r is p</source>
        <translation>        si r n&apos;est pas p : le parent de r est p</translation>
    </message>
    <message>
        <source>for each pixel p, from the darkest:</source>
        <translation>pour chaque pixel p, du plus sombre :</translation>
    </message>
    <message>
        <source>    let p&apos;s parent be the canonical pixel of its node</source>
        <translation>    le parent de p devient le pixel canonique de son nœud</translation>
    </message>
    <message>
        <source>The pixels are sorted: each cell shows its place, the brightest first.</source>
        <translation>Les pixels sont triés : chaque case montre sa place, le plus clair d&apos;abord.</translation>
    </message>
    <message>
        <source>Pixel %1 of level %2 is visited: a tree of its own.</source>
        <translation>Le pixel %1 de niveau %2 est visité : un arbre à lui seul.</translation>
    </message>
    <message>
        <source>The neighbour %1 is in the tree of %2 already.</source>
        <translation>Le voisin %1 est déjà dans l&apos;arbre de %2.</translation>
    </message>
    <message>
        <source>The neighbour %1 is in the tree with root %2: %3 becomes its parent.</source>
        <translation>Le voisin %1 est dans l&apos;arbre de racine %2 : %3 devient son parent.</translation>
    </message>
    <message>
        <source>The parent of %1 was %2, which is not the canonical pixel of its node: %3 is.</source>
        <translation>Le parent de %1 était %2, qui n&apos;est pas le pixel canonique de son nœud : c&apos;est %3.</translation>
    </message>
    <message>
        <source>Max-tree: sort, then union-find</source>
        <translation>Max-tree : trier, puis union-find</translation>
    </message>
    <message>
        <source>The textbook&apos;s algorithm: from the brightest pixel to the darkest, each joins the trees of its neighbours that are done.</source>
        <translation>L&apos;algorithme des manuels : du pixel le plus clair au plus sombre, chacun réunit les arbres de ses voisins déjà traités.</translation>
    </message>
    <message>
        <source>in each tile: every pixel leads to its highest neighbour, and so up to a maximum</source>
        <translation>dans chaque tuile : chaque pixel mène à son voisin le plus haut, et ainsi à un maximum</translation>
    </message>
    <message>
        <source>    in rounds: every component is joined to another along the highest edge that leaves it;</source>
        <translation>    par tours : chaque composante est réunie à une autre par l&apos;arête la plus haute qui en sort ;</translation>
    </message>
    <message>
        <source>    if that edge leaves the tile, the component waits</source>
        <translation>    si cette arête sort de la tuile, la composante attend</translation>
    </message>
    <message>
        <source>list the edges that may join components that wait</source>
        <translation>lister les arêtes qui peuvent réunir des composantes en attente</translation>
    </message>
    <message>
        <source>in rounds: every component of the image is joined along the highest edge that leaves it</source>
        <translation>par tours : chaque composante de l&apos;image est réunie par l&apos;arête la plus haute qui en sort</translation>
    </message>
    <message>
        <source>a pixel&apos;s branch: from its maximum on, through all joins that are not lower than the pixel</source>
        <translation>la branche d&apos;un pixel : à partir de son maximum, par toutes les réunions qui ne sont pas plus basses que le pixel</translation>
    </message>
    <message>
        <source>sort the pixels by branch and level</source>
        <translation>trier les pixels par branche et niveau</translation>
    </message>
    <message>
        <source>pixels of one branch and one level are a run</source>
        <translation>les pixels d&apos;une branche et d&apos;un niveau sont une plage</translation>
    </message>
    <message>
        <source>the lowest run of a branch hangs on the run of its saddle, or is part of that run</source>
        <translation>la plage la plus basse d&apos;une branche est accrochée à celle de son col, ou en fait partie</translation>
    </message>
    <message>
        <source>a run&apos;s pixels point to its first; that one to the first of the run below</source>
        <translation>les pixels d&apos;une plage pointent vers son premier ; celui-ci vers le premier de la plage d&apos;en dessous</translation>
    </message>
    <message>
        <source>Tile %1: every pixel leads to its highest neighbour, and so up to a maximum. Maxima, each with a component of its own: %2.</source>
        <translation>Tuile %1 : chaque pixel mène à son voisin le plus haut, et ainsi à un maximum. Maxima, chacun avec sa composante : %2.</translation>
    </message>
    <message>
        <source>Tile %1, round %2: every component has found the highest edge that leaves it. Joined along these edges: %3.</source>
        <translation>Tuile %1, tour %2 : chaque composante a trouvé l&apos;arête la plus haute qui en sort. Réunies par la leur : %3.</translation>
    </message>
    <message>
        <source>The highest edge that leaves the component of %1 is at its saddle %2, level %3: the component is joined to the one with %4, and %1&apos;s branch ends there.</source>
        <translation>L&apos;arête la plus haute qui sort de la composante de %1 est à son col %2, niveau %3 : elle est réunie à celle de %4, et la branche de %1 finit là.</translation>
    </message>
    <message>
        <source>Tile %1: the highest edge out of every remaining component leads to another tile. Components that wait: %2.</source>
        <translation>Tuile %1 : l&apos;arête la plus haute qui sort de chaque composante restante mène à une autre tuile. Composantes en attente : %2.</translation>
    </message>
    <message>
        <source>Edges that may join components that wait: %1. All others are dropped.</source>
        <translation>Arêtes qui peuvent réunir des composantes en attente : %1. Toutes les autres sont écartées.</translation>
    </message>
    <message>
        <source>Round %1 of the whole image: every component has found the highest edge that leaves it. Joined along these edges: %2.</source>
        <translation>Tour %1 de l&apos;image entière : chaque composante a trouvé l&apos;arête la plus haute qui en sort. Réunies par la leur : %2.</translation>
    </message>
    <message>
        <source>The highest edge that leaves the component of %1 is at its saddle %2, level %3: the component is joined to the one with %4.</source>
        <translation>L&apos;arête la plus haute qui sort de la composante de %1 est à son col %2, niveau %3 : elle est réunie à celle de %4.</translation>
    </message>
    <message>
        <source>Every pixel has its branch: each cell shows its number. %1 branches have pixels.</source>
        <translation>Chaque pixel a sa branche : chaque case en montre le numéro. %1 branches ont des pixels.</translation>
    </message>
    <message>
        <source>The pixels are sorted by branch, then by level: each cell shows its place.</source>
        <translation>Les pixels sont triés par branche, puis par niveau : chaque case montre sa place.</translation>
    </message>
    <message>
        <source>Pixels of one branch and one level are neighbours in this order: %1 runs, from the lowest of the branch to its maximum.</source>
        <translation>Les pixels d&apos;une branche et d&apos;un niveau se suivent dans cet ordre : %1 plages, de la plus basse de la branche à son maximum.</translation>
    </message>
    <message>
        <source>Branch %1 was never joined to another: its lowest run is the root.</source>
        <translation>La branche %1 n&apos;a jamais été réunie à une autre : sa plage la plus basse est la racine.</translation>
    </message>
    <message>
        <source>Branch %1 ends at its saddle: its lowest node, the node of %2, hangs on the node of %3.</source>
        <translation>La branche %1 finit à son col : son nœud le plus bas, celui de %2, est accroché au nœud de %3.</translation>
    </message>
    <message>
        <source>The saddle of branch %1 has the level of its lowest run, the run of %2: both are one node, the node of %3.</source>
        <translation>Le col de la branche %1 a le niveau de sa plage la plus basse, celle de %2 : les deux sont un nœud, celui de %3.</translation>
    </message>
    <message>
        <source>Run %1: its pixels point to the canonical one, %2, and that to %3.</source>
        <translation>Plage %1 : ses pixels pointent vers le pixel canonique, %2, et celui-ci vers %3.</translation>
    </message>
    <message>
        <source>Run %1 is part of the node of its saddle: its pixels point to %2.</source>
        <translation>La plage %1 fait partie du nœud de son col : ses pixels pointent vers %2.</translation>
    </message>
    <message>
        <source>Run %1 is the root: its pixels point to %2, and that to itself.</source>
        <translation>La plage %1 est la racine : ses pixels pointent vers %2, et celui-ci vers lui-même.</translation>
    </message>
    <message>
        <source>connect(p, q), in each thread: a = the lower one, b = the other</source>
        <translation>relier(p, q), dans chaque fil : a = le plus bas des deux, b = l&apos;autre</translation>
    </message>
    <message>
        <source>    climb from a and b, as long as the parents are not lower than a</source>
        <translation>    monter depuis a et b, tant que les parents ne sont pas plus bas que a</translation>
    </message>
    <message>
        <source>    if a is b: done</source>
        <translation>    si a est b : fini</translation>
    </message>
    <message>
        <source>    old = b&apos;s parent; b&apos;s parent becomes a, in one atomic operation</source>
        <translation>    ancien = parent de b ; a devient le parent de b, en une opération atomique</translation>
    </message>
    <message>
        <source>    if another thread changed it first: old is the parent which that thread wrote</source>
        <translation>    si un autre fil l&apos;a changé d&apos;abord : ancien est le parent que ce fil a écrit</translation>
    </message>
    <message>
        <source>    if there is an old parent: connect it with a, else done</source>
        <translation>    s&apos;il y a un ancien parent : le relier à a, sinon fini</translation>
    </message>
    <message>
        <source>Thread %1 takes the edge between %2 and %3: their trees must become one.</source>
        <translation>Le fil %1 prend l&apos;arête entre %2 et %3 : leurs arbres doivent n&apos;en faire qu&apos;un.</translation>
    </message>
    <message>
        <source>Thread %1 climbs, and compares %2 with %3.</source>
        <translation>Le fil %1 monte, et compare %2 à %3.</translation>
    </message>
    <message>
        <source>Thread %1: %2 had no parent, and %3 becomes its parent. The edge is done.</source>
        <translation>Fil %1 : %2 n&apos;avait pas de parent, et %3 devient son parent. L&apos;arête est faite.</translation>
    </message>
    <message>
        <source>Thread %1: %3 becomes the parent of %2 instead of %4, which must be connected with %3 next.</source>
        <translation>Fil %1 : %3 devient le parent de %2 au lieu de %4, qui doit ensuite être relié à %3.</translation>
    </message>
    <message>
        <source>Thread %1: %3 becomes the parent of %2. Another thread has put %4 there in the meantime, which must not get lost: it is connected with %3 next.</source>
        <translation>Fil %1 : %3 devient le parent de %2. Un autre fil y a mis %4 entre-temps, qui ne doit pas se perdre : il est ensuite relié à %3.</translation>
    </message>
    <message>
        <source>Thread %1 tries to make %3 the parent of %2, but another thread was first: the parent is %4. The thread tries again from there.</source>
        <translation>Le fil %1 essaie de faire de %3 le parent de %2, mais un autre fil a été premier : le parent est %4. Le fil réessaie à partir de là.</translation>
    </message>
    <message>
        <source>Thread %1: another thread has made %3 the parent of %2 in the meantime.</source>
        <translation>Fil %1 : un autre fil a fait de %3 le parent de %2 entre-temps.</translation>
    </message>
    <message>
        <source>Thread %1 comes to %2 from both sides: the edge joins nothing new.</source>
        <translation>Le fil %1 arrive en %2 des deux côtés : l&apos;arête ne réunit rien de nouveau.</translation>
    </message>
    <message>
        <source>Thread %1 comes to %2 from both sides: everything below is joined already.</source>
        <translation>Le fil %1 arrive en %2 des deux côtés : tout ce qui est en dessous est déjà réuni.</translation>
    </message>
    <message>
        <source>Max-tree by rims: Pollard&apos;s own algorithm at 8 bits</source>
        <translation>Max-tree par bords : l&apos;algorithme de Pollard à 8 bits</translation>
    </message>
    <message>
        <source>Tiles decide most of their tree alone. Only their rims may still change: these are joined in a small memory of slots, from which pixels read their parents in the end.</source>
        <translation>Les tuiles décident seules de la plus grande part de leur arbre. Seuls leurs bords peuvent encore changer : ils sont réunis dans une petite mémoire de cases, où les pixels lisent leurs parents à la fin.</translation>
    </message>
    <message>
        <source>every row becomes words; strips of 4 rows, a block each:</source>
        <translation>chaque ligne devient des mots ; des bandes de 4 lignes, un bloc chacune :</translation>
    </message>
    <message>
        <source>    number the runs: count the starts of runs before each</source>
        <translation>    numéroter les plages : compter les débuts de plages avant chacune</translation>
    </message>
    <message>
        <source>    the first contact of a run with the row above: point to the run there, without an atomic</source>
        <translation>    le premier contact d&apos;une plage avec la ligne d&apos;au-dessus : pointer vers la plage de là, sans opération atomique</translation>
    </message>
    <message>
        <source>    other contacts: join(run, run above)</source>
        <translation>    autres contacts : réunir(plage, plage d&apos;au-dessus)</translation>
    </message>
    <message>
        <source>    join: climb on the later side, halving the way; the later root points to the earlier node</source>
        <translation>    réunir : monter du côté le plus tardif, en raccourcissant le chemin ; la racine tardive pointe vers le nœud d&apos;avant</translation>
    </message>
    <message>
        <source>    number the components of the strip: its parts of objects</source>
        <translation>    numéroter les composantes de la bande : ses parties d&apos;objets</translation>
    </message>
    <message>
        <source>at every border between strips, all at the same time: join(part below, part above)</source>
        <translation>à chaque frontière entre bandes, toutes en même temps : réunir(partie d&apos;en dessous, partie d&apos;au-dessus)</translation>
    </message>
    <message>
        <source>the first part of every object: label = 1 + number of objects before</source>
        <translation>la première partie de chaque objet : étiquette = 1 + nombre d&apos;objets avant</translation>
    </message>
    <message>
        <source>other parts: the label of their first one</source>
        <translation>les autres parties : l&apos;étiquette de leur première</translation>
    </message>
    <message>
        <source>paint: run, part, label of every pixel</source>
        <translation>peindre : plage, partie, étiquette de chaque pixel</translation>
    </message>
    <message>
        <source>A run starts at %1: it is number %2 of its strip.</source>
        <translation>Une plage commence en %1 : c&apos;est la numéro %2 de sa bande.</translation>
    </message>
    <message>
        <source>The run at %1 touches that at %2: it is not joined to the row above yet, so it just points there.</source>
        <translation>La plage en %1 touche celle en %2 : elle n&apos;est pas encore réunie à la ligne d&apos;au-dessus, elle pointe donc simplement là.</translation>
    </message>
    <message>
        <source>The run at %1 touches another tree: its root points to %2.</source>
        <translation>La plage en %1 touche un autre arbre : sa racine pointe vers %2.</translation>
    </message>
    <message>
        <source>On the way up %1 is made to skip its parent: it points to %2.</source>
        <translation>En montant, %1 saute son parent : il pointe vers %2.</translation>
    </message>
    <message>
        <source>The connected pixels of the strip that start at %1 are part %2.</source>
        <translation>Les pixels connexes de la bande qui commencent en %1 sont la partie %2.</translation>
    </message>
    <message>
        <source>Across a border: part %1 points to part %2, so both are of one object.</source>
        <translation>À travers une frontière : la partie %1 pointe vers la partie %2, les deux sont donc d&apos;un même objet.</translation>
    </message>
    <message>
        <source>On the way up part %1 is made to skip its parent: it points to part %2.</source>
        <translation>En montant, la partie %1 saute son parent : elle pointe vers la partie %2.</translation>
    </message>
    <message>
        <source>Part %1 looks for the first part of its object: on the way its parent becomes part %2.</source>
        <translation>La partie %1 cherche la première partie de son objet : en chemin son parent devient la partie %2.</translation>
    </message>
    <message>
        <source>Another thread was faster: part %1 pointed to %3. It points to %2, and %3 remains to be joined.</source>
        <translation>Un autre fil a été plus rapide : la partie %1 pointait vers %3. Elle pointe vers %2, et %3 reste à réunir.</translation>
    </message>
    <message>
        <source>Part %1 is the first of its object, and gets the label %2.</source>
        <translation>La partie %1 est la première de son objet, et reçoit l&apos;étiquette %2.</translation>
    </message>
    <message>
        <source>Part %1 takes the label %2 of the first part of its object.</source>
        <translation>La partie %1 prend l&apos;étiquette %2 de la première partie de son objet.</translation>
    </message>
    <message>
        <source>A thread paints 4 by 4 pixels from %1 on.</source>
        <translation>Un fil peint 4 sur 4 pixels à partir de %1.</translation>
    </message>
    <message>
        <source>Every pixel has its label. Objects: %1.</source>
        <translation>Chaque pixel a son étiquette. Objets : %1.</translation>
    </message>
    <message>
        <source>Part</source>
        <translation>Partie</translation>
    </message>
    <message>
        <source>Strip</source>
        <translation>Bande</translation>
    </message>
    <message>
        <source>Objects: strips, Pollard&apos;s own algorithm</source>
        <translation>Objets : bandes, l&apos;algorithme de Pollard</translation>
    </message>
    <message>
        <source>Runs of a few rows are joined in fast memory, mostly without atomics; then the parts of objects across the borders of strips.</source>
        <translation>Les plages de quelques lignes sont réunies en mémoire rapide, le plus souvent sans opérations atomiques ; puis les parties d&apos;objets à travers les frontières des bandes.</translation>
    </message>
    <message>
        <source>in each block of threads: build the tree of a tile, from its columns</source>
        <translation>dans chaque bloc de fils : construire l&apos;arbre d&apos;une tuile, à partir de ses colonnes</translation>
    </message>
    <message>
        <source>    the rim: nodes that edges to other tiles lead to, and their ancestors; each gets a slot</source>
        <translation>    le bord : les nœuds où mènent des arêtes d&apos;autres tuiles, et leurs ancêtres ; chacun reçoit une case</translation>
    </message>
    <message>
        <source>list the edges between tiles that matter</source>
        <translation>lister les arêtes utiles entre tuiles</translation>
    </message>
    <message>
        <source>in each thread: connect the slots of its share of the edges, by atomic maxima</source>
        <translation>dans chaque fil : relier les cases de sa part des arêtes, par des maxima atomiques</translation>
    </message>
    <message>
        <source>connected slots of one level: one is the root, and holds their last pixel</source>
        <translation>cases connexes d&apos;un même niveau : l&apos;une est la racine, et contient leur dernier pixel</translation>
    </message>
    <message>
        <source>each slot: the canonical pixels of its node and of the node above</source>
        <translation>chaque case : les pixels canoniques de son nœud et du nœud au-dessus</translation>
    </message>
    <message>
        <source>each pixel: its parent, from its tile if that is final, else from a slot</source>
        <translation>chaque pixel : son parent, de sa tuile s&apos;il est définitif, sinon d&apos;une case</translation>
    </message>
    <message>
        <source>The tree of tile %1 is built, as if it were the whole image.</source>
        <translation>L&apos;arbre de la tuile %1 est construit, comme si c&apos;était toute l&apos;image.</translation>
    </message>
    <message>
        <source>Tile %1: only nodes that reach another tile, or have one below them that does, may still change. They get slots: %2 of %3 pixels. The rest is final.</source>
        <translation>Tuile %1 : seuls les nœuds qui touchent une autre tuile, ou en ont un en dessous qui le fait, peuvent encore changer. Ils reçoivent des cases : %2 de %3 pixels. Le reste est définitif.</translation>
    </message>
    <message>
        <source>Edges between tiles that matter: %1 of %2. Their ends all have slots.</source>
        <translation>Arêtes utiles entre tuiles : %1 sur %2. Leurs bouts ont tous une case.</translation>
    </message>
    <message>
        <source>The slot of %1, a root so far, becomes a child of the slot of %2.</source>
        <translation>La case de %1, racine jusqu&apos;ici, devient un enfant de celle de %2.</translation>
    </message>
    <message>
        <source>The slot of %1 becomes a child of the slot of %2 instead of the slot of %3, which is connected with %2 next.</source>
        <translation>La case de %1 devient un enfant de celle de %2 au lieu de celle de %3, qui est ensuite reliée à %2.</translation>
    </message>
    <message>
        <source>The slots of %1 and %2 have the same level: they are one node, whose canonical pixel is %3.</source>
        <translation>Les cases de %1 et %2 ont le même niveau : elles sont un nœud, dont le pixel canonique est %3.</translation>
    </message>
    <message>
        <source>Every slot has the canonical pixel of its node, and the canonical pixel of the node above.</source>
        <translation>Chaque case a le pixel canonique de son nœud, et celui du nœud au-dessus.</translation>
    </message>
    <message>
        <source>Tile %1: pixels whose parent changed when the tiles were joined read it from a slot: %2. The others keep the parent in their tile.</source>
        <translation>Tuile %1 : les pixels dont le parent a changé quand les tuiles ont été réunies le lisent dans une case : %2. Les autres gardent celui de leur tuile.</translation>
    </message>
    <message>
        <source>put a lowest pixel into the queue of its level</source>
        <translation>mettre un pixel le plus bas dans la file de son niveau</translation>
    </message>
    <message>
        <source>Flooding starts at %1: no pixel is lower than its level, %2.</source>
        <translation>L&apos;inondation commence en %1 : aucun pixel n&apos;est plus bas que son niveau, %2.</translation>
    </message>
    <message>
        <source>Water spreads from a lowest pixel; higher pixels are flooded first, so that a node is complete when the queue of its level is empty.</source>
        <translation>L&apos;eau se répand depuis un pixel le plus bas ; les pixels plus hauts sont inondés d&apos;abord, si bien qu&apos;un nœud est complet quand la file de son niveau est vide.</translation>
    </message>
    <message>
        <source>A node meets the criterion if its area is %1 px.</source>
        <translation>Un nœud satisfait le critère si son aire est de %1 px.</translation>
    </message>
    <message>
        <source>number the regional minima: they are the seeds</source>
        <translation>numéroter les minima régionaux : ce sont les germes</translation>
    </message>
    <message>
        <source>for each level, from the lowest to the highest:</source>
        <translation>pour chaque niveau, du plus bas au plus haut :</translation>
    </message>
    <message>
        <source>    repeat rounds, as long as they give labels:</source>
        <translation>    répéter des tours, tant qu&apos;ils donnent des étiquettes :</translation>
    </message>
    <message>
        <source>        each pixel up to this level that has no label, but a neighbour with one:</source>
        <translation>        chaque pixel jusqu&apos;à ce niveau sans étiquette, mais avec un voisin qui en a une :</translation>
    </message>
    <message>
        <source>            takes the label of the lowest of these neighbours; of several, the smallest label</source>
        <translation>            prend l&apos;étiquette du plus bas de ces voisins ; à égalité, la plus petite étiquette</translation>
    </message>
    <message>
        <source>The seeds are the regional minima: %1.</source>
        <translation>Les germes sont les minima régionaux : %1.</translation>
    </message>
    <message>
        <source>The water rises to level %1.</source>
        <translation>L&apos;eau monte au niveau %1.</translation>
    </message>
    <message>
        <source>Round %1 at level %2 begins: the pixels wait that have a neighbour with a label.</source>
        <translation>Le tour %1 au niveau %2 commence : les pixels qui ont un voisin étiqueté attendent.</translation>
    </message>
    <message>
        <source>%1 takes label %3 of %2, the lowest neighbour that had a label before the round.</source>
        <translation>%1 prend l&apos;étiquette %3 de %2, le plus bas voisin étiqueté avant ce tour.</translation>
    </message>
    <message>
        <source>Every pixel has the label of the seed that reached it first.</source>
        <translation>Chaque pixel a l&apos;étiquette du germe qui l&apos;a atteint en premier.</translation>
    </message>
    <message>
        <source>number the regional minima: their pixels are the roots</source>
        <translation>numéroter les minima régionaux : leurs pixels sont les racines</translation>
    </message>
    <message>
        <source>every other pixel is a tree of its own</source>
        <translation>chaque autre pixel est un arbre à lui seul</translation>
    </message>
    <message>
        <source>while there are trees without a root:</source>
        <translation>tant qu&apos;il y a des arbres sans racine :</translation>
    </message>
    <message>
        <source>    each component chooses its lightest edge; the weight is the higher of the two levels</source>
        <translation>    chacun d&apos;eux choisit son arête la plus légère ; le poids est le plus haut des deux niveaux</translation>
    </message>
    <message>
        <source>    join the trees at all chosen edges</source>
        <translation>    joindre les arbres par toutes les arêtes choisies</translation>
    </message>
    <message>
        <source>The roots are the regional minima: %1. Every other pixel is a tree of its own.</source>
        <translation>Les racines sont les minima régionaux : %1. Chaque autre pixel est un arbre à lui seul.</translation>
    </message>
    <message>
        <source>Round %1 begins. Trees without a root: %2.</source>
        <translation>Le tour %1 commence. Arbres sans racine : %2.</translation>
    </message>
    <message>
        <source>The tree of %1 chooses the edge from %2 to %3 of weight %4: none of its edges is lighter.</source>
        <translation>L&apos;arbre de %1 choisit l&apos;arête de %2 à %3, de poids %4 : aucune de ses arêtes n&apos;est plus légère.</translation>
    </message>
    <message>
        <source>The edge from %1 to %2 joins a tree with a root: all its pixels get label %3.</source>
        <translation>L&apos;arête de %1 à %2 rejoint un arbre avec une racine : tous ses pixels prennent l&apos;étiquette %3.</translation>
    </message>
    <message>
        <source>The edge from %1 to %2 joins two trees without a root.</source>
        <translation>L&apos;arête de %1 à %2 joint deux arbres sans racine.</translation>
    </message>
    <message>
        <source>Both trees had chosen the edge from %1 to %2: they are one tree already.</source>
        <translation>Les deux arbres avaient choisi l&apos;arête de %1 à %2 : ils forment déjà un seul arbre.</translation>
    </message>
    <message>
        <source>Every pixel has the label of its root: the edges are a minimum spanning forest.</source>
        <translation>Chaque pixel a l&apos;étiquette de sa racine : les arêtes forment une forêt couvrante minimale.</translation>
    </message>
    <message>
        <source>Watershed: flooding from the minima</source>
        <translation>Ligne de partage des eaux : inondation depuis les minima</translation>
    </message>
    <message>
        <source>Water rises from the regional minima, level by level and in rounds; every pixel gets the label of the water that reaches it first.</source>
        <translation>L&apos;eau monte depuis les minima régionaux, niveau par niveau et par tours ; chaque pixel prend l&apos;étiquette de l&apos;eau qui l&apos;atteint en premier.</translation>
    </message>
    <message>
        <source>Watershed: minimum spanning forest by Boruvka&apos;s algorithm</source>
        <translation>Ligne de partage des eaux : forêt couvrante minimale par l&apos;algorithme de Boruvka</translation>
    </message>
    <message>
        <source>Trees without a root choose their lightest edges, all at the same time, until every tree has a regional minimum as its root. Labels differ from flooding at ties only.</source>
        <translation>Les arbres sans racine choisissent tous en même temps leur arête la plus légère, jusqu&apos;à ce que chaque arbre ait un minimum régional pour racine. Les étiquettes ne diffèrent de l&apos;inondation qu&apos;en cas d&apos;égalité.</translation>
    </message>
</context>
<context>
    <name>TeachMenu</name>
    <message>
        <source>&amp;Teach</source>
        <translation>E&amp;nseigner</translation>
    </message>
    <message>
        <source>&amp;Grid lab</source>
        <translation>Labo de la &amp;grille</translation>
    </message>
    <message>
        <source>Watch algorithms at work on an image of a few pixels</source>
        <translation>Regarder des algorithmes à l&apos;œuvre sur une image de quelques pixels</translation>
    </message>
    <message>
        <source>Grid lab with these &amp;pixels</source>
        <translation>Labo de la grille avec ces &amp;pixels</translation>
    </message>
    <message>
        <source>Take the pixels around the pointer, else in the middle of the view, to the lab</source>
        <translation>Prendre au labo les pixels autour du pointeur, sinon du milieu de la vue</translation>
    </message>
    <message>
        <source>&amp;Demonstration</source>
        <translation>&amp;Démonstration</translation>
    </message>
    <message>
        <source>The grid lab on the full screen, with prepared scenes</source>
        <translation>Le labo de la grille en plein écran, avec des scènes préparées</translation>
    </message>
    <message>
        <source>&amp;Race of the algorithms…</source>
        <translation>&amp;Course des algorithmes…</translation>
    </message>
    <message>
        <source>Time that each algorithm takes for the tree of the open image</source>
        <translation>Le temps que prend chaque algorithme pour l&apos;arbre de l&apos;image ouverte</translation>
    </message>
    <message>
        <source>Print &amp;exercises…</source>
        <translation>Imprimer des &amp;exercices…</translation>
    </message>
    <message>
        <source>Exercises on paper, with answers or without</source>
        <translation>Des exercices sur papier, avec ou sans réponses</translation>
    </message>
</context>
<context>
    <name>ToneCurve</name>
    <message>
        <source>Linear</source>
        <translation>Linéaire</translation>
    </message>
    <message>
        <source>Logarithmic</source>
        <translation>Logarithmique</translation>
    </message>
    <message>
        <source>Square root</source>
        <translation>Racine carrée</translation>
    </message>
    <message>
        <source>Gamma</source>
        <translation>Gamma</translation>
    </message>
    <message>
        <source>Asinh</source>
        <translation>Asinh</translation>
    </message>
</context>
<context>
    <name>TourSteps</name>
    <message>
        <source>An image to work on</source>
        <translation>Une image pour travailler</translation>
    </message>
    <message>
        <source>This tour does a small job on your own image: it removes small components, shows the removed part, and counts the rest. Open an image, or take the coins.</source>
        <translation>Cette visite fait un petit travail sur votre image : elle supprime ce qui est petit, montre ce qui est parti et compte le reste. Ouvrez une image, ou prenez les pièces de monnaie.</translation>
    </message>
    <message>
        <source>tour: remove small components</source>
        <translation>visite : supprimer les petites composantes</translation>
    </message>
    <message>
        <source>Remove small components</source>
        <translation>Supprimer ce qui est petit</translation>
    </message>
    <message>
        <source>Small components are often noise. Drag the left handle, or enter a number in From: components with a smaller area leave the image while you look. The file stays as it is.</source>
        <translation>Les petites composantes sont souvent du bruit. Tirez la poignée gauche, ou entrez un nombre dans De : les composantes d&apos;aire plus petite quittent l&apos;image sous vos yeux. Le fichier ne change pas.</translation>
    </message>
    <message>
        <source>Look at the removed part</source>
        <translation>Regarder ce qui est parti</translation>
    </message>
    <message>
        <source>Difference (D) shows in colour what the filter has changed. The other buttons here show both images beside each other or in turn.</source>
        <translation>Différence (D) montre en couleur ce que le filtre a changé. Les autres boutons montrent les deux images côte à côte ou tour à tour.</translation>
    </message>
    <message>
        <source>tour: find objects</source>
        <translation>visite : trouver les objets</translation>
    </message>
    <message>
        <source>Find the objects</source>
        <translation>Trouver les objets</translation>
    </message>
    <message>
        <source>The workspace Objects (Alt+2) finds objects by a threshold. Choose the method Otsu: it separates objects and ground by their grey levels.</source>
        <translation>L&apos;espace de travail Objets (Alt+2) trouve les objets par un seuil. Choisissez la méthode d&apos;Otsu : elle sépare les objets du fond selon leurs niveaux de gris.</translation>
    </message>
    <message>
        <source>Count and measure</source>
        <translation>Compter et mesurer</translation>
    </message>
    <message>
        <source>This line has the number of objects, and the table measures each object. A click on a row marks the object in the image.</source>
        <translation>Cette ligne donne le nombre d&apos;objets, et le tableau mesure chacun d&apos;eux. Un clic sur une ligne marque l&apos;objet dans l&apos;image.</translation>
    </message>
    <message>
        <source>Keep the numbers</source>
        <translation>Garder les nombres</translation>
    </message>
    <message>
        <source>Save the table for a spreadsheet, or the outlines for other programs. Ctrl+Z undoes the changes here, step by step.</source>
        <translation>Enregistrez le tableau pour un tableur, ou les contours pour d&apos;autres programmes. Ctrl+Z annule ce qui a été fait ici, étape par étape.</translation>
    </message>
    <message>
        <source>Other jobs</source>
        <translation>Autres travaux</translation>
    </message>
    <message>
        <source>Each workspace arranges the panels for one kind of work. F1 explains the panel with the focus, Ctrl+K finds a command by its words, and Help &gt; First steps has six tutorials.</source>
        <translation>Chaque espace de travail dispose les panneaux pour un type de travail. F1 explique le panneau actif, Ctrl+K trouve une commande par ses mots, et Aide &gt; Premiers pas propose six tutoriels.</translation>
    </message>
</context>
<context>
    <name>ValueText</name>
    <message>
        <source>level %1</source>
        <translation>niveau %1</translation>
    </message>
</context>
<context>
    <name>Volumes</name>
    <message>
        <source>Works on images, not on volumes.</source>
        <translation>Fonctionne sur les images, pas sur les volumes.</translation>
    </message>
</context>
<context>
    <name>WholePage</name>
    <message>
        <source>%1 (%2 in the shown part)</source>
        <translation>%1 (%2 dans la partie affichée)</translation>
    </message>
    <message>
        <source>%1 (%2 on the shown level)</source>
        <translation>%1 (%2 au niveau affiché)</translation>
    </message>
    <message>
        <source>%1 (%2 in the shrunk image)</source>
        <translation>%1 (%2 dans l&apos;image réduite)</translation>
    </message>
</context>
<context>
    <name>WorkSummary</name>
    <message>
        <source>1 contour</source>
        <translation>1 contour</translation>
    </message>
    <message>
        <source>%1 contours</source>
        <translation>%1 contours</translation>
    </message>
    <message>
        <source>1 region</source>
        <translation>1 région</translation>
    </message>
    <message>
        <source>%1 regions</source>
        <translation>%1 régions</translation>
    </message>
    <message>
        <source>a filter of 1 criterion</source>
        <translation>un filtre d&apos;un critère</translation>
    </message>
    <message>
        <source>a filter of %1 criteria</source>
        <translation>un filtre de %1 critères</translation>
    </message>
    <message>
        <source>1 earlier filter</source>
        <translation>1 filtre antérieur</translation>
    </message>
    <message>
        <source>%1 earlier filters</source>
        <translation>%1 filtres antérieurs</translation>
    </message>
    <message>
        <source>1 picked component</source>
        <translation>1 composante choisie</translation>
    </message>
    <message>
        <source>%1 picked components</source>
        <translation>%1 composantes choisies</translation>
    </message>
    <message>
        <source>1 named selection</source>
        <translation>1 sélection nommée</translation>
    </message>
    <message>
        <source>%1 named selections</source>
        <translation>%1 sélections nommées</translation>
    </message>
    <message>
        <source>1 selected component</source>
        <translation>1 composante sélectionnée</translation>
    </message>
    <message>
        <source>%1 selected components</source>
        <translation>%1 composantes sélectionnées</translation>
    </message>
    <message>
        <source>1 removed object</source>
        <translation>1 objet retiré</translation>
    </message>
    <message>
        <source>%1 removed objects</source>
        <translation>%1 objets retirés</translation>
    </message>
    <message>
        <source>settings</source>
        <translation>réglages</translation>
    </message>
    <message>
        <source>objects edited by hand</source>
        <translation>objets modifiés à la main</translation>
    </message>
</context>
<context>
    <name>Workspaces</name>
    <message>
        <source>Filter</source>
        <translation>Filtre</translation>
    </message>
    <message>
        <source>Filter the image by attributes of its components</source>
        <translation>Filtrer l’image par les attributs de ses composantes</translation>
    </message>
    <message>
        <source>Objects</source>
        <translation>Objets</translation>
    </message>
    <message>
        <source>Count and measure objects, follow them over the pages</source>
        <translation>Compter et mesurer des objets, les suivre de page en page</translation>
    </message>
    <message>
        <source>Contour</source>
        <translation>Contour</translation>
    </message>
    <message>
        <source>Outline an object with a region snake</source>
        <translation>Cerner un objet avec un serpent de régions</translation>
    </message>
    <message>
        <source>Explore</source>
        <translation>Explorer</translation>
    </message>
    <message>
        <source>Look into the tree: component, chain, attribute plane, selection</source>
        <translation>Regarder dans l’arbre : composante, chaîne, plan d’attributs, sélection</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Comparer</translation>
    </message>
    <message>
        <source>Compare the result with the original, the rules, and a series of filters</source>
        <translation>Comparer le résultat à l’original, les règles entre elles, et une série de filtres</translation>
    </message>
    <message>
        <source>Volume</source>
        <translation>Volume</translation>
    </message>
    <message>
        <source>See a volume from three sides and in space</source>
        <translation>Voir un volume de trois côtés et dans l’espace</translation>
    </message>
</context>
<context>
    <name>pollard::app::Actions</name>
    <message>
        <source>&amp;Open…</source>
        <translation>&amp;Ouvrir…</translation>
    </message>
    <message>
        <source>Open an image</source>
        <translation>Ouvrir une image</translation>
    </message>
    <message>
        <source>&amp;Save result as…</source>
        <translation>&amp;Enregistrer le résultat sous…</translation>
    </message>
    <message>
        <source>Open ra&amp;w data…</source>
        <translation>Ouvrir des données &amp;brutes…</translation>
    </message>
    <message>
        <source>Open a file without a header</source>
        <translation>Ouvrir un fichier sans en-tête</translation>
    </message>
    <message>
        <source>Apply to all pa&amp;ges…</source>
        <translation>Appliquer à toutes les &amp;pages…</translation>
    </message>
    <message>
        <source>Pre&amp;ferences…</source>
        <translation>Préférences…</translation>
    </message>
    <message>
        <source>Language, looks, engine, limits for files and memory</source>
        <translation>Langue, apparence, moteur, limites des fichiers et de la mémoire</translation>
    </message>
    <message>
        <source>Close i&amp;mage</source>
        <translation>&amp;Fermer l&apos;image</translation>
    </message>
    <message>
        <source>Close the image</source>
        <translation>Fermer l&apos;image</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>&amp;Quitter</translation>
    </message>
    <message>
        <source>Quit Pollard</source>
        <translation>Quitter Pollard</translation>
    </message>
    <message>
        <source>Ma&amp;x-tree</source>
        <translation>Ma&amp;x-tree</translation>
    </message>
    <message>
        <source>Max-tree: bright components on dark ground</source>
        <translation>Max-tree : composantes claires sur fond sombre</translation>
    </message>
    <message>
        <source>Mi&amp;n-tree</source>
        <translation>Mi&amp;n-tree</translation>
    </message>
    <message>
        <source>Min-tree: dark components on bright ground</source>
        <translation>Min-tree : composantes sombres sur fond clair</translation>
    </message>
    <message>
        <source>&amp;4-connected</source>
        <translation>&amp;4-connexe</translation>
    </message>
    <message>
        <source>4-connectivity: pixels touch with their sides</source>
        <translation>4-connexité : les pixels se touchent par leurs côtés</translation>
    </message>
    <message>
        <source>&amp;8-connected</source>
        <translation>&amp;8-connexe</translation>
    </message>
    <message>
        <source>8-connectivity: pixels touch with sides and corners</source>
        <translation>8-connexité : les pixels se touchent par leurs côtés et leurs coins</translation>
    </message>
    <message>
        <source>&amp;Previous page</source>
        <translation>Page &amp;précédente</translation>
    </message>
    <message>
        <source>Previous page of the file</source>
        <translation>Page précédente du fichier</translation>
    </message>
    <message>
        <source>Next pa&amp;ge</source>
        <translation>Page &amp;suivante</translation>
    </message>
    <message>
        <source>Next page of the file</source>
        <translation>Page suivante du fichier</translation>
    </message>
    <message>
        <source>&amp;Live</source>
        <translation>&amp;Direct</translation>
    </message>
    <message>
        <source>Filter at every change</source>
        <translation>Filtrer à chaque changement</translation>
    </message>
    <message>
        <source>&amp;Apply filter</source>
        <translation>&amp;Appliquer le filtre</translation>
    </message>
    <message>
        <source>Filter with the present settings</source>
        <translation>Filtrer avec les réglages présents</translation>
    </message>
    <message>
        <source>&amp;Reset range</source>
        <translation>&amp;Réinitialiser l&apos;intervalle</translation>
    </message>
    <message>
        <source>Keep every component</source>
        <translation>Garder toutes les composantes</translation>
    </message>
    <message>
        <source>F&amp;irst page</source>
        <translation>Prem&amp;ière page</translation>
    </message>
    <message>
        <source>First page of the file</source>
        <translation>Première page du fichier</translation>
    </message>
    <message>
        <source>La&amp;st page</source>
        <translation>D&amp;ernière page</translation>
    </message>
    <message>
        <source>Last page of the file</source>
        <translation>Dernière page du fichier</translation>
    </message>
    <message>
        <source>Back along the secon&amp;d axis</source>
        <translation>Recu&amp;ler le long du deuxième axe</translation>
    </message>
    <message>
        <source>Previous position along the second axis of the stack</source>
        <translation>Position précédente le long du deuxième axe de la pile</translation>
    </message>
    <message>
        <source>Next position along the second axis of the stack</source>
        <translation>Position suivante le long du deuxième axe de la pile</translation>
    </message>
    <message>
        <source>Back along the &amp;third axis</source>
        <translation>Reculer le long du &amp;troisième axe</translation>
    </message>
    <message>
        <source>Previous position along the third axis of the stack</source>
        <translation>Position précédente le long du troisième axe de la pile</translation>
    </message>
    <message>
        <source>Next position along the third axis of the stack</source>
        <translation>Position suivante le long du troisième axe de la pile</translation>
    </message>
    <message>
        <source>&amp;Fit to window</source>
        <translation>&amp;Ajuster à la fenêtre</translation>
    </message>
    <message>
        <source>Show the whole image</source>
        <translation>Montrer toute l&apos;image</translation>
    </message>
    <message>
        <source>&amp;1:1</source>
        <translation>&amp;1:1</translation>
    </message>
    <message>
        <source>One pixel of the image per pixel of the screen</source>
        <translation>Un pixel de l&apos;image par pixel de l&apos;écran</translation>
    </message>
    <message>
        <source>Zoom &amp;in</source>
        <translation>&amp;Zoom avant</translation>
    </message>
    <message>
        <source>Zoom &amp;out</source>
        <translation>Zoom a&amp;rrière</translation>
    </message>
    <message>
        <source>Show ori&amp;ginal</source>
        <translation>Montrer l&apos;&amp;original</translation>
    </message>
    <message>
        <source>Show the original instead of the result</source>
        <translation>Montrer l&apos;original au lieu du résultat</translation>
    </message>
    <message>
        <source>S&amp;mooth magnified pixels</source>
        <translation>&amp;Lisser les pixels agrandis</translation>
    </message>
    <message>
        <source>Blend magnified pixels instead of showing them as squares</source>
        <translation>Fondre les pixels agrandis au lieu de les montrer en carrés</translation>
    </message>
    <message>
        <source>Fu&amp;ll screen</source>
        <translation>Ple&amp;in écran</translation>
    </message>
    <message>
        <source>&amp;Find a command…</source>
        <translation>&amp;Trouver une commande…</translation>
    </message>
    <message>
        <source>Find a command by its words and run it</source>
        <translation>Trouver une commande par ses mots et l&apos;exécuter</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Aide</translation>
    </message>
    <message>
        <source>The documentation of the focused part</source>
        <translation>La documentation de la partie qui a le focus</translation>
    </message>
    <message>
        <source>&amp;Keyboard and mouse</source>
        <translation>&amp;Clavier et souris</translation>
    </message>
    <message>
        <source>All shortcuts</source>
        <translation>Tous les raccourcis</translation>
    </message>
    <message>
        <source>&amp;About Pollard</source>
        <translation>À &amp;propos de Pollard</translation>
    </message>
    <message>
        <source>Versions, engines, licences and how to cite</source>
        <translation>Versions, moteurs, licences et comment citer</translation>
    </message>
    <message>
        <source>About &amp;Qt</source>
        <translation>À prop&amp;os de Qt</translation>
    </message>
    <message>
        <source>The Qt libraries</source>
        <translation>Les bibliothèques Qt</translation>
    </message>
    <message>
        <source>&amp;Before and after</source>
        <translation>A&amp;vant et après</translation>
    </message>
    <message>
        <source>Original on the left of the line, result on the right</source>
        <translation>L&apos;original à gauche de la ligne, le résultat à droite</translation>
    </message>
    <message>
        <source>Blin&amp;k</source>
        <translation>Alt&amp;erner</translation>
    </message>
    <message>
        <source>Original and result in turn</source>
        <translation>L&apos;original et le résultat tour à tour</translation>
    </message>
    <message>
        <source>Show the othe&amp;r</source>
        <translation>Montrer l&apos;a&amp;utre</translation>
    </message>
    <message>
        <source>While blinking: show the other image</source>
        <translation>Pendant l&apos;alternance : montrer l&apos;autre image</translation>
    </message>
    <message>
        <source>&amp;Difference</source>
        <translation>&amp;Différence</translation>
    </message>
    <message>
        <source>Changes made by the filter</source>
        <translation>Les changements faits par le filtre</translation>
    </message>
    <message>
        <source>Mark &amp;saturation</source>
        <translation>&amp;Marquer la saturation</translation>
    </message>
    <message>
        <source>Levels at or beyond the window: blue below, red above</source>
        <translation>Niveaux au bord de la fenêtre ou au-delà : bleu dessous, rouge dessus</translation>
    </message>
    <message>
        <source>&amp;Inverted</source>
        <translation>&amp;Inversée</translation>
    </message>
    <message>
        <source>The colour map backwards</source>
        <translation>La table de couleurs à l&apos;envers</translation>
    </message>
    <message>
        <source>Use this displa&amp;y for every image</source>
        <translation>Utiliser cet affichage pour toutes les ima&amp;ges</translation>
    </message>
    <message>
        <source>One window, tone curve and colour map for every file instead of one for each</source>
        <translation>Une fenêtre, une courbe de tons et une table de couleurs pour tous les fichiers au lieu d&apos;une pour chacun</translation>
    </message>
    <message>
        <source>&amp;Automatic window</source>
        <translation>&amp;Fenêtre automatique</translation>
    </message>
    <message>
        <source>Black and white at percentiles of the grey levels</source>
        <translation>Noir et blanc à des centiles des niveaux de gris</translation>
    </message>
    <message>
        <source>F&amp;ull range window</source>
        <translation>Fenêtre de tous les niveau&amp;x</translation>
    </message>
    <message>
        <source>Black at 0, white at the largest level of the pixel type</source>
        <translation>Noir à 0, blanc au plus grand niveau du type de pixel</translation>
    </message>
    <message>
        <source>First &amp;steps</source>
        <translation>Premiers pa&amp;s</translation>
    </message>
    <message>
        <source>F&amp;orward along the second axis</source>
        <translation>Avancer sur le deuxiè&amp;me axe</translation>
    </message>
    <message>
        <source>Forward along the t&amp;hird axis</source>
        <translation>Avancer sur le tr&amp;oisième axe</translation>
    </message>
    <message>
        <source>Magnify the image around the middle of the view</source>
        <translation>Agrandir l&apos;image autour du milieu de la vue</translation>
    </message>
    <message>
        <source>Show a larger part of the image</source>
        <translation>Montrer une plus grande partie de l&apos;image</translation>
    </message>
    <message>
        <source>Give the window the whole screen, without its frame</source>
        <translation>Donner à la fenêtre tout l&apos;écran, sans son cadre</translation>
    </message>
    <message>
        <source>Save the filtered image, of a volume all slices</source>
        <translation>Enregistrer l&apos;image filtrée, d&apos;un volume toutes les coupes</translation>
    </message>
    <message>
        <source>&amp;6-connected</source>
        <translation>&amp;6-connexe</translation>
    </message>
    <message>
        <source>6-connectivity: voxels touch with their faces</source>
        <translation>Connexité 6 : les voxels se touchent par leurs faces</translation>
    </message>
    <message>
        <source>&amp;18-connected</source>
        <translation>&amp;18-connexe</translation>
    </message>
    <message>
        <source>18-connectivity: voxels touch with faces and edges</source>
        <translation>Connexité 18 : les voxels se touchent par les faces et les arêtes</translation>
    </message>
    <message>
        <source>&amp;26-connected</source>
        <translation>&amp;26-connexe</translation>
    </message>
    <message>
        <source>26-connectivity: voxels touch with faces, edges and corners</source>
        <translation>Connexité 26 : les voxels se touchent par les faces, les arêtes et les coins</translation>
    </message>
    <message>
        <source>Six tutorials on images that come with the program</source>
        <translation>Six tutoriels sur des images fournies avec le programme</translation>
    </message>
    <message>
        <source>Filter the w&amp;hole image…</source>
        <translation>Filtrer l&apos;image en&amp;tière…</translation>
    </message>
    <message>
        <source>Apply the filter to all of the image at full resolution, in the background</source>
        <translation>Appliquer le filtre à toute l&apos;image en pleine résolution, en arrière-plan</translation>
    </message>
    <message>
        <source>Filter the &amp;visible region exactly</source>
        <translation>Filtrer exactement la région &amp;visible</translation>
    </message>
    <message>
        <source>Open the visible region at full resolution, with the same filter there</source>
        <translation>Ouvrir la région visible en pleine résolution, avec le même filtre</translation>
    </message>
    <message>
        <source>&amp;Back to the overview</source>
        <translation>Revenir à la vue d&apos;ensemble</translation>
    </message>
    <message>
        <source>Open the smaller version of the whole image again, where it was seen last</source>
        <translation>Rouvrir la version réduite de toute l&apos;image, là où elle a été vue</translation>
    </message>
    <message>
        <source>Other &amp;level or part…</source>
        <translation>Autre &amp;niveau ou partie…</translation>
    </message>
    <message>
        <source>Choose a level or a part of the image, with the memory that each may need</source>
        <translation>Choisir un niveau ou une partie de l&apos;image, avec la mémoire que chacun peut demander</translation>
    </message>
    <message>
        <source>Open fol&amp;der…</source>
        <translation>Ouvrir un &amp;dossier…</translation>
    </message>
    <message>
        <source>Choose one of the images in a folder: DICOM series, OME-Zarr, plates, files</source>
        <translation>Choisir une des images d&apos;un dossier : séries DICOM, OME-Zarr, plaques, fichiers</translation>
    </message>
    <message>
        <source>Filter every page of the file like this one, in all channels, slices and times, and save all as one TIFF</source>
        <translation>Filtrer toutes les pages du fichier comme celle-ci, celles de tous les canaux, coupes et temps, et les enregistrer dans un TIFF</translation>
    </message>
    <message>
        <source>Slices as a &amp;volume</source>
        <translation>Coupes en &amp;volume</translation>
    </message>
    <message>
        <source>One tree of all slices; a filter works on the whole volume</source>
        <translation>Un arbre de toutes les coupes ; un filtre agit sur toutes</translation>
    </message>
    <message>
        <source>Slices as &amp;pages</source>
        <translation>Coupes en &amp;pages</translation>
    </message>
    <message>
        <source>Each slice is an image with its own tree</source>
        <translation>Chaque coupe est une image avec son propre arbre</translation>
    </message>
    <message>
        <source>Ma&amp;ximum projection</source>
        <translation>Projection du ma&amp;ximum</translation>
    </message>
    <message>
        <source>One image with the largest value of the slices at each pixel</source>
        <translation>Une image avec la plus grande valeur des coupes en chaque pixel</translation>
    </message>
    <message>
        <source>Mi&amp;nimum projection</source>
        <translation>Projection du mi&amp;nimum</translation>
    </message>
    <message>
        <source>One image with the smallest value of the slices at each pixel</source>
        <translation>Une image avec la plus petite valeur des coupes en chaque pixel</translation>
    </message>
    <message>
        <source>M&amp;ean projection</source>
        <translation>Projection &amp;moyenne</translation>
    </message>
    <message>
        <source>One image with the mean of the slices at each pixel</source>
        <translation>Une image avec la moyenne des coupes en chaque pixel</translation>
    </message>
    <message>
        <source>&amp;Sharpest slice</source>
        <translation>Coupe la plus ne&amp;tte</translation>
    </message>
    <message>
        <source>The slice whose Laplacian has the largest variance</source>
        <translation>La coupe dont le laplacien a la plus grande variance</translation>
    </message>
    <message>
        <source>&amp;Next part of the window</source>
        <translation>Partie &amp;suivante de la fenêtre</translation>
    </message>
    <message>
        <source>Give the next part the focus: tool bars, image, panels, status line</source>
        <translation>Donner le focus à la partie suivante : barres d&apos;outils, image, panneaux, ligne d&apos;état</translation>
    </message>
    <message>
        <source>&amp;Previous part of the window</source>
        <translation>Partie &amp;précédente de la fenêtre</translation>
    </message>
    <message>
        <source>Give the part before the focus</source>
        <translation>Donner le focus à la partie précédente</translation>
    </message>
</context>
<context>
    <name>pollard::app::AttributeButton</name>
    <message>
        <source>Attribute: %1</source>
        <translation>Attribut : %1</translation>
    </message>
</context>
<context>
    <name>pollard::app::AttributeHistogramView</name>
    <message>
        <source>Histogram of the attribute</source>
        <translation>Histogramme de l&apos;attribut</translation>
    </message>
    <message>
        <source>Number of components by value; heights are logarithmic. Drag a bound, or the range between the bounds; double-click removes both.</source>
        <translation>Nombre de composantes par valeur ; les hauteurs sont logarithmiques. Glissez une borne, ou l&apos;intervalle entre les bornes ; un double-clic les enlève.</translation>
    </message>
    <message>
        <source>Left and right move the lower bound, with Shift the upper one; the numbers below hold the same values.</source>
        <translation>Gauche et Droite déplacent la borne inférieure, avec Maj la supérieure ; les nombres au-dessous ont les mêmes valeurs.</translation>
    </message>
</context>
<context>
    <name>pollard::app::AttributePicker</name>
    <message>
        <source>Search by name, group, unit or formula</source>
        <translation>Chercher par nom, groupe, unité ou formule</translation>
    </message>
    <message>
        <source>Search attributes</source>
        <translation>Chercher des attributs</translation>
    </message>
    <message>
        <source>Type a part of a name, group, unit or formula</source>
        <translation>Tapez une partie d&apos;un nom, d&apos;un groupe, d&apos;une unité ou d&apos;une formule</translation>
    </message>
    <message>
        <source>Attributes</source>
        <translation>Attributs</translation>
    </message>
    <message>
        <source>%1 increasing: never smaller in a component than in one inside it</source>
        <translation>%1 croissant : jamais plus petit dans une composante que dans une qu&apos;elle contient</translation>
    </message>
</context>
<context>
    <name>pollard::app::AttributePlanePanel</name>
    <message>
        <source>Swap the axes</source>
        <translation>Échanger les axes</translation>
    </message>
    <message>
        <source>Swap the attributes of the two axes</source>
        <translation>Échanger les attributs des deux axes</translation>
    </message>
    <message>
        <source>Remove the inside</source>
        <translation>Retirer l&apos;intérieur</translation>
    </message>
    <message>
        <source>The rectangle removes components instead of keeping them. The others meet any of: x below, x above, y below, y above it</source>
        <translation>Le rectangle retire des composantes au lieu de les garder. Les autres remplissent l&apos;une de ces conditions : x au-dessous, x au-dessus, y au-dessous, y au-dessus</translation>
    </message>
    <message>
        <source>Lasso</source>
        <translation>Lasso</translation>
    </message>
    <message>
        <source>Enclose components with the pointer to select them; the filter stays as it is</source>
        <translation>Entourer des composantes avec le pointeur pour les sélectionner ; le filtre reste tel quel</translation>
    </message>
    <message>
        <source>Remove the rectangle</source>
        <translation>Enlever le rectangle</translation>
    </message>
    <message>
        <source>Restore the filter without the rectangle (Esc in the plane)</source>
        <translation>Rétablir le filtre sans le rectangle (Échap dans le plan)</translation>
    </message>
    <message>
        <source>In the lasso: %1 components</source>
        <translation>Dans le lasso : %1 composantes</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>Log</translation>
    </message>
    <message>
        <source>Equal ratios are equally long; components of value 0 are left out. Attributes that can be negative have no logarithm</source>
        <translation>Des rapports égaux ont des longueurs égales ; les composantes de valeur 0 sont omises. Les attributs qui peuvent être négatifs n&apos;ont pas de logarithme</translation>
    </message>
    <message>
        <source>&amp;X axis</source>
        <translation>Axe &amp;X</translation>
    </message>
    <message>
        <source>&amp;Y axis</source>
        <translation>Axe &amp;Y</translation>
    </message>
    <message>
        <source>Attribute of the x axis</source>
        <translation>Attribut de l&apos;axe x</translation>
    </message>
    <message>
        <source>Attribute of the y axis</source>
        <translation>Attribut de l&apos;axe y</translation>
    </message>
    <message>
        <source>Logarithmic x axis</source>
        <translation>Axe x logarithmique</translation>
    </message>
    <message>
        <source>Logarithmic y axis</source>
        <translation>Axe y logarithmique</translation>
    </message>
</context>
<context>
    <name>pollard::app::AttributePlaneView</name>
    <message>
        <source>Attribute plane</source>
        <translation>Plan des attributs</translation>
    </message>
    <message>
        <source>Number of components by two attributes, on a logarithmic scale of colours.
Drag: draw a rectangle that filters, move it, or move one of its sides. Double click or Esc: remove it.
Arrows: move it by a cell, with Shift its upper right corner, with Ctrl by ten.</source>
        <translation>Nombre de composantes selon deux attributs, en couleurs d&apos;échelle logarithmique.
Glisser : dessiner un rectangle qui filtre, le déplacer, ou déplacer l&apos;un de ses côtés. Double-clic ou Échap : l&apos;enlever.
Flèches : le déplacer d&apos;une case, avec Maj son coin supérieur droit, avec Ctrl de dix.</translation>
    </message>
    <message>
        <source>Measuring …</source>
        <translation>Mesure en cours…</translation>
    </message>
</context>
<context>
    <name>pollard::app::BatchDialog</name>
    <message>
        <source>Apply to a folder</source>
        <translation>Appliquer à un dossier</translation>
    </message>
    <message>
        <source>Choose a &amp;folder…</source>
        <translation>Choisir un &amp;dossier…</translation>
    </message>
    <message>
        <source>Apply to all images of a folder</source>
        <translation>Appliquer à toutes les images d&apos;un dossier</translation>
    </message>
    <message>
        <source>Choose f&amp;iles…</source>
        <translation>Choisir des f&amp;ichiers…</translation>
    </message>
    <message>
        <source>Apply to these files only</source>
        <translation>Appliquer à ces fichiers seulement</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>Fichiers</translation>
    </message>
    <message>
        <source>The files with the result of each; a double click opens it</source>
        <translation>Les fichiers et le résultat de chacun ; un double clic ouvre un résultat</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>Appliquer</translation>
    </message>
    <message>
        <source>The steps that are done with every file</source>
        <translation>Les étapes appliquées à chaque fichier</translation>
    </message>
    <message>
        <source>&amp;Recipe file…</source>
        <translation>Fichier de &amp;recette…</translation>
    </message>
    <message>
        <source>Apply a recipe that was saved as a file</source>
        <translation>Appliquer une recette enregistrée dans un fichier</translation>
    </message>
    <message>
        <source>Save in</source>
        <translation>Enregistrer dans</translation>
    </message>
    <message>
        <source>Folder of the results; it is made if it does not exist</source>
        <translation>Dossier des résultats ; il est créé s&apos;il n&apos;existe pas</translation>
    </message>
    <message>
        <source>A new folder beside the files</source>
        <translation>Un nouveau dossier à côté des fichiers</translation>
    </message>
    <message>
        <source>C&amp;hoose…</source>
        <translation>C&amp;hoisir…</translation>
    </message>
    <message>
        <source>Choose the folder of the results</source>
        <translation>Choisir le dossier des résultats</translation>
    </message>
    <message>
        <source>&amp;Apply</source>
        <translation>&amp;Appliquer</translation>
    </message>
    <message>
        <source>&amp;Save in</source>
        <translation>&amp;Enregistrer dans</translation>
    </message>
    <message>
        <source>Skip files whose results are up to date</source>
        <translation>Ignorer les fichiers dont les résultats sont à jour</translation>
    </message>
    <message>
        <source>Continues an interrupted run of a preset or a recipe file: results stay that are not older than their file and the recipe</source>
        <translation>Poursuit un traitement interrompu d&apos;un préréglage ou d&apos;un fichier de recette : les résultats qui ne sont pas plus anciens que leur fichier et la recette restent</translation>
    </message>
    <message>
        <source>S&amp;kip files whose results are up to date</source>
        <translation>I&amp;gnorer les fichiers dont les résultats sont à jour</translation>
    </message>
    <message>
        <source>Pixel size for every file</source>
        <translation>Taille de pixel pour tous les fichiers</translation>
    </message>
    <message>
        <source>The size that was set for the open image, in place of the sizes in the files</source>
        <translation>La taille saisie pour l&apos;image ouverte, à la place de celles des fichiers</translation>
    </message>
    <message>
        <source>&amp;Pixel size for every file: %1</source>
        <translation>Taille de &amp;pixel pour tous les fichiers : %1</translation>
    </message>
    <message>
        <source>The objects of all files also come as one table: %1</source>
        <translation>Les objets de tous les fichiers sont aussi réunis dans un seul tableau : %1</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Progression</translation>
    </message>
    <message>
        <source>Files that ended</source>
        <translation>Fichiers terminés</translation>
    </message>
    <message>
        <source>&amp;Open the result</source>
        <translation>&amp;Ouvrir le résultat</translation>
    </message>
    <message>
        <source>Open the result of the selected file</source>
        <translation>Ouvrir le résultat du fichier sélectionné</translation>
    </message>
    <message>
        <source>Open the &amp;table</source>
        <translation>Ouvrir le &amp;tableau</translation>
    </message>
    <message>
        <source>Open the table of the objects of all files</source>
        <translation>Ouvrir le tableau des objets de tous les fichiers</translation>
    </message>
    <message>
        <source>Sho&amp;w in folder</source>
        <translation>Afficher dans le d&amp;ossier</translation>
    </message>
    <message>
        <source>Show the folder of the results</source>
        <translation>Afficher le dossier des résultats</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Démarrer</translation>
    </message>
    <message>
        <source>Apply the steps to all files</source>
        <translation>Appliquer les étapes à tous les fichiers</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Fermer</translation>
    </message>
    <message>
        <source>Preset: %1</source>
        <translation>Préréglage : %1</translation>
    </message>
    <message>
        <source>Steps just done to %1</source>
        <translation>Ce qui vient d&apos;être fait sur %1</translation>
    </message>
    <message>
        <source>Choose a recipe</source>
        <translation>Choisir une recette</translation>
    </message>
    <message>
        <source>Recipe (*.json)</source>
        <translation>Recette (*.json)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Tous les fichiers (*)</translation>
    </message>
    <message>
        <source>Recipe: %1</source>
        <translation>Recette : %1</translation>
    </message>
    <message>
        <source>Folder of images</source>
        <translation>Dossier d&apos;images</translation>
    </message>
    <message>
        <source>Folder of the results</source>
        <translation>Dossier des résultats</translation>
    </message>
    <message>
        <source>Choose files, or drop them here.</source>
        <translation>Choisissez des fichiers ou déposez-les ici.</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Annuler</translation>
    </message>
    <message>
        <source>Stop; finished files stay</source>
        <translation>Arrêter ; les fichiers terminés restent</translation>
    </message>
    <message>
        <source>Close this dialog</source>
        <translation>Fermer ce dialogue</translation>
    </message>
    <message>
        <source>Appl&amp;y to a folder…</source>
        <translation>App&amp;liquer à un dossier…</translation>
    </message>
    <message>
        <source>Batch: do the same with many files, such as all images of a folder</source>
        <translation>Traitement par lots : faire de même avec de nombreux fichiers, par exemple toutes les images d&apos;un dossier</translation>
    </message>
    <message>
        <source>Unit of tables</source>
        <translation>Unité des tableaux</translation>
    </message>
    <message>
        <source>Of lengths and areas; every file brings the size of its pixels, and one without it fails</source>
        <translation>Des longueurs et des aires ; chaque fichier apporte la taille de ses pixels, et un fichier qui ne l&apos;a pas échoue</translation>
    </message>
    <message>
        <source>&amp;Unit of tables</source>
        <translation>&amp;Unité des tableaux</translation>
    </message>
    <message>
        <source>Steps just done to %1: none yet</source>
        <translation>Ce qui vient d&apos;être fait sur %1 : encore rien</translation>
    </message>
    <message>
        <source>Finished files stay.</source>
        <translation>Les fichiers terminés restent.</translation>
    </message>
    <message>
        <source>&amp;Stop and leave</source>
        <translation>&amp;Arrêter et quitter</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>A&amp;nnuler</translation>
    </message>
    <message>
        <source>Stop and leave</source>
        <translation>Arrêter et quitter</translation>
    </message>
    <message>
        <source>The remaining files are not processed</source>
        <translation>Les fichiers restants ne sont pas traités</translation>
    </message>
    <message>
        <source>The batch goes on, and nothing is closed</source>
        <translation>Le traitement continue et rien n&apos;est fermé</translation>
    </message>
    <message>
        <source>%1 of %2 files are done. Stop the batch and leave?</source>
        <translation>%1 fichiers sur %2 sont traités. Arrêter le traitement et quitter ?</translation>
    </message>
</context>
<context>
    <name>pollard::app::BusyIndicator</name>
    <message>
        <source>Progress</source>
        <translation>Progression</translation>
    </message>
    <message>
        <source>Writing a file…</source>
        <translation>Écriture d&apos;un fichier…</translation>
    </message>
</context>
<context>
    <name>pollard::app::Canvas</name>
    <message>
        <source>Image</source>
        <translation>Image</translation>
    </message>
    <message>
        <source>The image and its filtered version. Arrow keys move it, plus and minus zoom, F fits it into the window, 1 shows it pixel by pixel.</source>
        <translation>L&apos;image et sa version filtrée. Les flèches la déplacent, plus et moins zooment, F l&apos;ajuste à la fenêtre, 1 la montre pixel par pixel.</translation>
    </message>
    <message>
        <source>OpenGL: %1</source>
        <translation>OpenGL : %1</translation>
    </message>
</context>
<context>
    <name>pollard::app::CanvasActions</name>
    <message>
        <source>&amp;Copy view</source>
        <translation>&amp;Copier la vue</translation>
    </message>
    <message>
        <source>Copy the visible image with its overlays to the clipboard</source>
        <translation>Copier l&apos;image visible avec ses superpositions dans le presse-papiers</translation>
    </message>
    <message>
        <source>E&amp;xport view…</source>
        <translation>E&amp;xporter la vue…</translation>
    </message>
    <message>
        <source>Save the view or the whole image in its colours as PNG or TIFF</source>
        <translation>Enregistrer la vue ou toute l&apos;image dans ses couleurs en PNG ou TIFF</translation>
    </message>
    <message>
        <source>&amp;Scale bar</source>
        <translation>Barre d&apos;&amp;échelle</translation>
    </message>
    <message>
        <source>Show a bar of a round length in the scene, or in px</source>
        <translation>Montrer une barre d&apos;une longueur ronde dans la scène, ou en px</translation>
    </message>
    <message>
        <source>&amp;Rulers</source>
        <translation>&amp;Règles</translation>
    </message>
    <message>
        <source>Show rulers at the top and at the left</source>
        <translation>Montrer des règles en haut et à gauche</translation>
    </message>
    <message>
        <source>&amp;Minimap</source>
        <translation>&amp;Mini-carte</translation>
    </message>
    <message>
        <source>Show the whole image in a corner while only a part is visible</source>
        <translation>Montrer toute l&apos;image dans un coin quand seule une partie en est visible</translation>
    </message>
    <message>
        <source>Ma&amp;gnifier</source>
        <translation>&amp;Loupe</translation>
    </message>
    <message>
        <source>Show the pixels around the pointer in a loupe, with the level in the middle</source>
        <translation>Montrer dans une loupe les pixels autour du pointeur, avec le niveau au milieu</translation>
    </message>
    <message>
        <source>&amp;Pixel grid</source>
        <translation>&amp;Grille des pixels</translation>
    </message>
    <message>
        <source>Show lines between pixels that are 16 px or larger on the screen</source>
        <translation>Montrer des lignes entre les pixels d&apos;au moins 16 px à l&apos;écran</translation>
    </message>
    <message>
        <source>Rulers in p&amp;ixels</source>
        <translation>Règles en p&amp;ixels</translation>
    </message>
    <message>
        <source>Show px on the rulers even where the size of a pixel is known</source>
        <translation>Montrer les px sur les règles même si la taille d&apos;un pixel est connue</translation>
    </message>
    <message>
        <source>&amp;Hand</source>
        <translation>&amp;Main</translation>
    </message>
    <message>
        <source>Move the image by dragging</source>
        <translation>Déplacer l&apos;image en la glissant</translation>
    </message>
    <message>
        <source>Draw a &amp;rectangle</source>
        <translation>Dessiner un &amp;rectangle</translation>
    </message>
    <message>
        <source>Draw a rectangle that the analysis is restricted to; Shift makes a square</source>
        <translation>Dessiner un rectangle auquel l&apos;analyse est restreinte ; Maj fait un carré</translation>
    </message>
    <message>
        <source>Draw an e&amp;llipse</source>
        <translation>Dessiner une e&amp;llipse</translation>
    </message>
    <message>
        <source>Draw an ellipse that the analysis is restricted to; Shift makes a circle</source>
        <translation>Dessiner une ellipse à laquelle l&apos;analyse est restreinte ; Maj fait un cercle</translation>
    </message>
    <message>
        <source>Draw a &amp;polygon</source>
        <translation>Dessiner un &amp;polygone</translation>
    </message>
    <message>
        <source>Click the corners of a polygon that the analysis is restricted to; Enter or a double-click closes it</source>
        <translation>Cliquer les sommets d&apos;un polygone auquel l&apos;analyse est restreinte ; Entrée ou un double-clic le ferme</translation>
    </message>
    <message>
        <source>Pic&amp;k components</source>
        <translation>Dési&amp;gner des composantes</translation>
    </message>
    <message>
        <source>Remove components by clicking on them; with Shift they are kept</source>
        <translation>Retirer des composantes en cliquant dessus ; avec Maj elles sont gardées</translation>
    </message>
    <message>
        <source>&amp;Delete shape</source>
        <translation>&amp;Supprimer la forme</translation>
    </message>
    <message>
        <source>Delete the selected shape</source>
        <translation>Supprimer la forme sélectionnée</translation>
    </message>
    <message>
        <source>&amp;Clear region</source>
        <translation>&amp;Effacer la région</translation>
    </message>
    <message>
        <source>Delete all shapes: the whole image is analysed</source>
        <translation>Supprimer toutes les formes : toute l&apos;image est analysée</translation>
    </message>
    <message>
        <source>&amp;Whole image</source>
        <translation>&amp;Toute l&apos;image</translation>
    </message>
    <message>
        <source>One rectangle around the whole image, for resizing</source>
        <translation>Un rectangle autour de toute l&apos;image, à redimensionner</translation>
    </message>
    <message>
        <source>Select &amp;next shape</source>
        <translation>Sélectionner la forme s&amp;uivante</translation>
    </message>
    <message>
        <source>Select the next shape of the region</source>
        <translation>Sélectionner la forme suivante de la région</translation>
    </message>
    <message>
        <source>Analyse the &amp;outside</source>
        <translation>&amp;Analyser l&apos;extérieur</translation>
    </message>
    <message>
        <source>Analyse the pixels outside the shapes</source>
        <translation>Analyser les pixels en dehors des formes</translation>
    </message>
    <message>
        <source>Load re&amp;gion…</source>
        <translation>Charger une régi&amp;on…</translation>
    </message>
    <message>
        <source>&amp;Save region…</source>
        <translation>Enre&amp;gistrer la région…</translation>
    </message>
    <message>
        <source>Crop &amp;to region</source>
        <translation>Re&amp;cadrer sur la région</translation>
    </message>
    <message>
        <source>Open only the part of the file around the selected shape, or around all shapes</source>
        <translation>N&apos;ouvrir que la partie du fichier autour de la forme sélectionnée, ou de toutes les formes</translation>
    </message>
    <message>
        <source>Open &amp;all of the page again</source>
        <translation>Rou&amp;vrir toute la page</translation>
    </message>
    <message>
        <source>Open the whole page again after a crop</source>
        <translation>Rouvrir toute la page après un recadrage</translation>
    </message>
    <message>
        <source>Save the shapes as GeoJSON, in longitude and latitude if the image has a map, else in px</source>
        <translation>Enregistrer les formes en GeoJSON, en longitude et latitude si l&apos;image a une carte, sinon en px</translation>
    </message>
    <message>
        <source>Pixel si&amp;ze from a scale bar…</source>
        <translation>Taille d’un pixel d’après une &amp;barre d’échelle…</translation>
    </message>
    <message>
        <source>Set the size of a pixel by a line over an object of known length; Shift keeps it straight</source>
        <translation>Fixer la taille d’un pixel par un trait sur un objet de longueur connue ; Maj le garde droit</translation>
    </message>
    <message>
        <source>&amp;Objects in every workspace</source>
        <translation>&amp;Objets dans tous les espaces de travail</translation>
    </message>
    <message>
        <source>Show the colours of the objects even if the Objects panel is not in front, over contours and components</source>
        <translation>Montrer les couleurs des objets même si le panneau Objets n&apos;est pas devant, sur les contours et les composantes</translation>
    </message>
    <message>
        <source>Replace the shapes by the polygons of a GeoJSON or vector file, in px of the image or on the map</source>
        <translation>Remplacer les formes par les polygones d’un fichier GeoJSON ou vectoriel, en px de l’image ou sur la carte</translation>
    </message>
    <message>
        <source>Patient &amp;directions</source>
        <translation>&amp;Directions du patient</translation>
    </message>
    <message>
        <source>Show right, left, anterior, posterior, superior and inferior at the edges of the views, where the file states them</source>
        <translation>Afficher droite (R), gauche (L), antérieur, postérieur, supérieur et inférieur aux bords des vues, si le fichier les indique</translation>
    </message>
</context>
<context>
    <name>pollard::app::ChainChart</name>
    <message>
        <source>Area against level along the chain</source>
        <translation>Aire selon le niveau le long de la chaîne</translation>
    </message>
    <message>
        <source>Area of the components around the pixel against their level. Where it is flat, a component stays the same over many levels. Click or drag to go along the chain.</source>
        <translation>Aire des composantes autour du pixel selon leur niveau. Là où elle est plate, une composante reste la même sur beaucoup de niveaux. Cliquez ou glissez pour suivre la chaîne.</translation>
    </message>
    <message>
        <source>Area (px)</source>
        <translation>Aire (px)</translation>
    </message>
</context>
<context>
    <name>pollard::app::ChainPanel</name>
    <message>
        <source>Remove</source>
        <translation>Retirer</translation>
    </message>
    <message>
        <source>Remove this component from the image with all in it</source>
        <translation>Ôter cette composante de l&apos;image avec tout ce qu&apos;elle contient</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Garder</translation>
    </message>
    <message>
        <source>Keep this component in the image, even if it does not meet the criteria</source>
        <translation>Garder cette composante dans l&apos;image, même si elle ne remplit pas les critères</translation>
    </message>
    <message>
        <source>Refine with a contour</source>
        <translation>Affiner par un contour</translation>
    </message>
    <message>
        <source>Let a contour (region snake) start at the outline of this component</source>
        <translation>Faire partir un contour (serpent de régions) du bord de cette composante</translation>
    </message>
    <message>
        <source>Let go</source>
        <translation>Lâcher</translation>
    </message>
    <message>
        <source>Follow the pointer again (Esc in the image)</source>
        <translation>Suivre de nouveau le pointeur (Échap dans l&apos;image)</translation>
    </message>
    <message>
        <source>&amp;Attribute</source>
        <translation>&amp;Attribut</translation>
    </message>
    <message>
        <source>Attribute beside level and area</source>
        <translation>Attribut à côté du niveau et de l&apos;aire</translation>
    </message>
    <message>
        <source>Keep from here on</source>
        <translation>Garder à partir d&apos;ici</translation>
    </message>
    <message>
        <source>Make attribute ≥ this component&apos;s value the criterion that is edited</source>
        <translation>Faire de « attribut ≥ la valeur de cette composante » le critère en cours</translation>
    </message>
    <message>
        <source>Point at the image: the components around that pixel appear here, from the smallest to the whole image. A click holds them.</source>
        <translation>Pointez l&apos;image : les composantes autour de ce pixel apparaissent ici, de la plus petite à toute l&apos;image. Un clic les retient.</translation>
    </message>
    <message>
        <source>Components around the pixel</source>
        <translation>Composantes autour du pixel</translation>
    </message>
    <message>
        <source>Start in the middle</source>
        <translation>Commencer au milieu</translation>
    </message>
    <message>
        <source>Hold the components around the pixel in the middle of the view</source>
        <translation>Fixer les composantes autour du pixel au milieu de la vue</translation>
    </message>
</context>
<context>
    <name>pollard::app::ChannelControls</name>
    <message>
        <source>Red</source>
        <translation>Rouge</translation>
    </message>
    <message>
        <source>Green</source>
        <translation>Vert</translation>
    </message>
    <message>
        <source>Blue</source>
        <translation>Bleu</translation>
    </message>
    <message>
        <source>Cyan</source>
        <translation>Cyan</translation>
    </message>
    <message>
        <source>Magenta</source>
        <translation>Magenta</translation>
    </message>
    <message>
        <source>Yellow</source>
        <translation>Jaune</translation>
    </message>
    <message>
        <source>White</source>
        <translation>Blanc</translation>
    </message>
    <message>
        <source>Channels</source>
        <translation>Canaux</translation>
    </message>
    <message>
        <source>Ticked channels are added in their colours, at most %1. Drag to reorder; window and colour below belong to the selected channel.</source>
        <translation>Les canaux cochés sont additionnés dans leurs couleurs, %1 au plus. Faites glisser pour changer l’ordre ; la fenêtre et la couleur ci-dessous sont celles du canal sélectionné.</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>Filtrer</translation>
    </message>
    <message>
        <source>Builds the tree of the selected channel and filters it</source>
        <translation>Construit l’arbre du canal sélectionné et le filtre</translation>
    </message>
    <message>
        <source>Solo</source>
        <translation>Seul</translation>
    </message>
    <message>
        <source>Shows the selected channel alone</source>
        <translation>Montre le canal sélectionné seul</translation>
    </message>
    <message>
        <source>Colour</source>
        <translation>Couleur</translation>
    </message>
    <message>
        <source>Colour of the selected channel at the upper end of its window, or a colour map</source>
        <translation>Couleur du canal sélectionné à la fin de sa fenêtre, ou une palette</translation>
    </message>
    <message>
        <source>Presets</source>
        <translation>Préréglages</translation>
    </message>
    <message>
        <source>Three bands as red, green and blue, or the colours that the file suggests</source>
        <translation>Trois bandes en rouge, vert et bleu, ou les couleurs que le fichier propose</translation>
    </message>
    <message>
        <source>Other…</source>
        <translation>Autre…</translation>
    </message>
    <message>
        <source>Colours of the file</source>
        <translation>Couleurs du fichier</translation>
    </message>
    <message>
        <source>Colour of the channel</source>
        <translation>Couleur du canal</translation>
    </message>
    <message>
        <source>Black level of the channel</source>
        <translation>Noir du canal</translation>
    </message>
    <message>
        <source>Value of the selected channel that is black</source>
        <translation>Valeur du canal sélectionné qui est noire</translation>
    </message>
    <message>
        <source>Full level of the channel</source>
        <translation>Pleine couleur du canal</translation>
    </message>
    <message>
        <source>Value of the selected channel in its full colour</source>
        <translation>Valeur du canal sélectionné dans sa pleine couleur</translation>
    </message>
    <message>
        <source>Gamma of the channel</source>
        <translation>Gamma du canal</translation>
    </message>
    <message>
        <source>Power of the tone curve: below 1 the dark parts become brighter</source>
        <translation>Puissance de la courbe de tons : au-dessous de 1, les parties sombres s’éclaircissent</translation>
    </message>
    <message>
        <source>Auto</source>
        <translation>Auto</translation>
    </message>
    <message>
        <source>Automatic window of the channel</source>
        <translation>Fenêtre automatique du canal</translation>
    </message>
    <message>
        <source>Window from the darkest to the brightest 0.1 % of the pixels</source>
        <translation>Fenêtre des 0,1 % de pixels les plus sombres aux 0,1 % les plus clairs</translation>
    </message>
    <message>
        <source>Full</source>
        <translation>Tout</translation>
    </message>
    <message>
        <source>Full range of the channel</source>
        <translation>Étendue complète du canal</translation>
    </message>
    <message>
        <source>Window from 0 to the largest level that the pixel type holds</source>
        <translation>Fenêtre de 0 au plus grand niveau du type de pixel</translation>
    </message>
    <message>
        <source>Blac&amp;k</source>
        <translation>&amp;Noir</translation>
    </message>
    <message>
        <source>F&amp;ull colour</source>
        <translation>&amp;Pleine couleur</translation>
    </message>
    <message>
        <source>&amp;Gamma</source>
        <translation>&amp;Gamma</translation>
    </message>
    <message>
        <source>Reading channels…</source>
        <translation>Lecture des canaux…</translation>
    </message>
    <message>
        <source>Masks cut out all channels</source>
        <translation>Les masques découpent tous les canaux</translation>
    </message>
    <message>
        <source>With the mask as result of the filter: shows all channels where the filter keeps objects, and black elsewhere</source>
        <translation>Avec le masque comme résultat du filtre : montre tous les canaux là où le filtre garde des objets, et du noir ailleurs</translation>
    </message>
</context>
<context>
    <name>pollard::app::ChannelHistograms</name>
    <message>
        <source>Histograms of the channels</source>
        <translation>Histogrammes des canaux</translation>
    </message>
    <message>
        <source>Left and right move the lower edge of the channel&apos;s window, with Shift the upper one; the numbers below hold the same values.</source>
        <translation>Gauche et droite déplacent le bord inférieur de la fenêtre du canal, avec Maj le bord supérieur ; les nombres ci-dessous contiennent les mêmes valeurs.</translation>
    </message>
    <message>
        <source>Levels of all shown channels. Drag an edge of the selected channel&apos;s window, or the range between the edges; double-click sets it automatically.</source>
        <translation>Niveaux de tous les canaux montrés. Faites glisser un bord de la fenêtre du canal sélectionné, ou l’intervalle entre les bords ; un double-clic la règle automatiquement.</translation>
    </message>
</context>
<context>
    <name>pollard::app::ChunkFilterDialog</name>
    <message>
        <source>max-tree</source>
        <translation>arbre max</translation>
    </message>
    <message>
        <source>min-tree</source>
        <translation>arbre min</translation>
    </message>
    <message>
        <source>4-connected</source>
        <translation>4-connexe</translation>
    </message>
    <message>
        <source>8-connected</source>
        <translation>8-connexe</translation>
    </message>
    <message>
        <source>&amp;Continue the interrupted work</source>
        <translation>&amp;Continuer le travail interrompu</translation>
    </message>
    <message>
        <source>Filter the whole image</source>
        <translation>Filtrer l&apos;image entière</translation>
    </message>
    <message>
        <source>File of the result</source>
        <translation>Fichier du résultat</translation>
    </message>
    <message>
        <source>TIFF with reduced versions, which opens at any of its levels</source>
        <translation>TIFF avec des versions réduites, qui s&apos;ouvre à chacun de ses niveaux</translation>
    </message>
    <message>
        <source>&amp;Browse…</source>
        <translation>&amp;Parcourir…</translation>
    </message>
    <message>
        <source>Browse</source>
        <translation>Parcourir</translation>
    </message>
    <message>
        <source>Choose folder and name of the result</source>
        <translation>Choisir le dossier et le nom du résultat</translation>
    </message>
    <message>
        <source>&amp;Save as</source>
        <translation>&amp;Enregistrer sous</translation>
    </message>
    <message>
        <source>Continue the interrupted work</source>
        <translation>Continuer le travail interrompu</translation>
    </message>
    <message>
        <source>An earlier start with this file ended early. Unless continued, its work is removed.</source>
        <translation>Un travail précédent sur ce fichier s&apos;est arrêté avant la fin. S&apos;il n&apos;est pas continué, il est supprimé.</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Démarrer</translation>
    </message>
    <message>
        <source>Filter in the background; the window stays free for other work</source>
        <translation>Filtrer en arrière-plan ; la fenêtre reste libre pour autre chose</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Taille</translation>
    </message>
    <message>
        <source>%1 × %2 px</source>
        <translation>%1 × %2 px</translation>
    </message>
    <message>
        <source>Tree</source>
        <translation>Arbre</translation>
    </message>
    <message>
        <source>Criteria</source>
        <translation>Critères</translation>
    </message>
    <message>
        <source>, and
</source>
        <translation> et
</translation>
    </message>
    <message>
        <source>, or
</source>
        <translation> ou
</translation>
    </message>
    <message>
        <source>Grey levels</source>
        <translation>Niveaux de gris</translation>
    </message>
    <message>
        <source>by the range of all values, which may be wider than the shown one</source>
        <translation>selon l&apos;étendue de toutes les valeurs, qui peut dépasser celle affichée</translation>
    </message>
    <message>
        <source>Rule</source>
        <translation>Règle</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>Sortie</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Mémoire</translation>
    </message>
    <message>
        <source>TIFF image (*.tif *.tiff)</source>
        <translation>Image TIFF (*.tif *.tiff)</translation>
    </message>
    <message>
        <source>This file exists. It is replaced when the result is complete.</source>
        <translation>Ce fichier existe. Il est remplacé quand le résultat est complet.</translation>
    </message>
    <message>
        <source>The whole image is being filtered. Stop and leave?</source>
        <translation>Le filtrage de l&apos;image entière est en cours. Arrêter et quitter ?</translation>
    </message>
    <message>
        <source>The work done so far is kept: choose the same file to continue.</source>
        <translation>Le travail déjà fait est gardé : choisissez le même fichier pour continuer.</translation>
    </message>
    <message>
        <source>&amp;Stop and leave</source>
        <translation>&amp;Arrêter et quitter</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>A&amp;nnuler</translation>
    </message>
    <message>
        <source>Stop and leave</source>
        <translation>Arrêter et quitter</translation>
    </message>
    <message>
        <source>The result is not written yet</source>
        <translation>Le résultat n&apos;est pas encore écrit</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Annuler</translation>
    </message>
    <message>
        <source>The work goes on, and nothing is closed</source>
        <translation>Le travail continue, et rien n&apos;est fermé</translation>
    </message>
    <message>
        <source>Apply the present filter to all of %1</source>
        <translation>Appliquer le filtre actuel à toute l&apos;image %1</translation>
    </message>
    <message>
        <source>Maxima</source>
        <translation>Maxima</translation>
    </message>
    <message>
        <source>Minima</source>
        <translation>Minima</translation>
    </message>
    <message>
        <source>only the %1 most prominent, by %2</source>
        <translation>seulement les %1 plus proéminents (%2)</translation>
    </message>
    <message>
        <source>Memory for the work. Chunks of the image are as large as it allows.</source>
        <translation>Mémoire pour le travail. Les morceaux de l’image sont aussi grands qu’elle le permet.</translation>
    </message>
    <message>
        <source>of %1 that this program may use</source>
        <translation>sur %1 que ce programme peut utiliser</translation>
    </message>
    <message>
        <source>&amp;Memory</source>
        <translation>&amp;Mémoire</translation>
    </message>
    <message>
        <source>The whole image is being filtered. Stop?</source>
        <translation>L’image entière est en cours de filtrage. Arrêter ?</translation>
    </message>
    <message>
        <source>&amp;Keep for later</source>
        <translation>&amp;Conserver pour plus tard</translation>
    </message>
    <message>
        <source>Keep for later</source>
        <translation>Conserver pour plus tard</translation>
    </message>
    <message>
        <source>Stop. Filter the whole image into the same file to continue</source>
        <translation>Arrêter. Filtrez l’image entière dans le même fichier pour continuer</translation>
    </message>
    <message>
        <source>&amp;Discard</source>
        <translation>&amp;Jeter</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>Jeter</translation>
    </message>
    <message>
        <source>Stop and remove the work done so far</source>
        <translation>Arrêter et supprimer le travail accompli</translation>
    </message>
    <message>
        <source>&amp;Go on</source>
        <translation>C&amp;ontinuer</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>Continuer</translation>
    </message>
    <message>
        <source>The work goes on</source>
        <translation>Le travail continue</translation>
    </message>
</context>
<context>
    <name>pollard::app::ChunkFilterStatus</name>
    <message>
        <source>Cancel</source>
        <translation>Annuler</translation>
    </message>
    <message>
        <source>Stop filtering the whole image, and keep or remove the work done so far</source>
        <translation>Arrêter le filtrage de l’image entière, et conserver ou supprimer le travail accompli</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Ouvrir</translation>
    </message>
    <message>
        <source>Open the result</source>
        <translation>Ouvrir le résultat</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Fermer</translation>
    </message>
    <message>
        <source>Close this notice</source>
        <translation>Fermer cet avis</translation>
    </message>
    <message>
        <source>Progress of the whole image</source>
        <translation>Progression de l&apos;image entière</translation>
    </message>
    <message>
        <source>%1 is written</source>
        <translation>%1 est écrit</translation>
    </message>
</context>
<context>
    <name>pollard::app::ClassesPanel</name>
    <message>
        <source>Add class</source>
        <translation>Ajouter une classe</translation>
    </message>
    <message>
        <source>Colour of the class</source>
        <translation>Couleur de la classe</translation>
    </message>
    <message>
        <source>Choose the colour of the selected class</source>
        <translation>Choisir la couleur de la classe sélectionnée</translation>
    </message>
    <message>
        <source>Move the class up</source>
        <translation>Monter la classe</translation>
    </message>
    <message>
        <source>Try the condition of the selected class before the one above it</source>
        <translation>Essayer la condition de la classe sélectionnée avant celle du dessus</translation>
    </message>
    <message>
        <source>Move the class down</source>
        <translation>Descendre la classe</translation>
    </message>
    <message>
        <source>Try the condition of the selected class after the one below it</source>
        <translation>Essayer la condition de la classe sélectionnée après celle du dessous</translation>
    </message>
    <message>
        <source>Remove the class</source>
        <translation>Supprimer la classe</translation>
    </message>
    <message>
        <source>Remove the selected class; its objects stay</source>
        <translation>Supprimer la classe sélectionnée ; ses objets restent</translation>
    </message>
    <message>
        <source>Add class from the condition</source>
        <translation>Ajouter une classe à partir de la condition</translation>
    </message>
    <message>
        <source>Make a class of the objects that meet the condition above, which is cleared</source>
        <translation>Faire une classe des objets qui remplissent la condition ci-dessus, qui est ensuite effacée</translation>
    </message>
    <message>
        <source>Classes</source>
        <translation>Classes</translation>
    </message>
    <message>
        <source>An object belongs to the first class whose condition it meets. Double-click a name or a condition to change it.</source>
        <translation>Un objet appartient à la première classe dont il remplit la condition. Double-cliquez sur un nom ou une condition pour les modifier.</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1 : %2</translation>
    </message>
    <message>
        <source>Type a condition above, such as %1, and add it as a class. Its objects get a colour of their own in the image.</source>
        <translation>Saisissez une condition ci-dessus, par exemple %1, et ajoutez-la comme classe. Ses objets ont leur propre couleur dans l’image.</translation>
    </message>
    <message>
        <source>Without a class: %1</source>
        <translation>Sans classe : %1</translation>
    </message>
</context>
<context>
    <name>pollard::app::CommandPalette</name>
    <message>
        <source>Find a command</source>
        <translation>Trouver une commande</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>Commande</translation>
    </message>
    <message>
        <source>Words of a command; up and down choose, Return runs it, Escape closes</source>
        <translation>Mots d&apos;une commande ; Haut et Bas choisissent, Entrée l&apos;exécute, Échap ferme</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>Commandes</translation>
    </message>
    <message>
        <source>Commands with these words; a click runs one</source>
        <translation>Commandes avec ces mots ; un clic en exécute une</translation>
    </message>
    <message>
        <source>Not available</source>
        <translation>Indisponible</translation>
    </message>
    <message>
        <source>No command fits</source>
        <translation>Aucune commande ne correspond</translation>
    </message>
    <message>
        <source>Words of a command or a job, e.g. &quot;save&quot; or &quot;count&quot;</source>
        <translation>Mots d’une commande ou d’une tâche, p. ex. « enregistrer » ou « compter »</translation>
    </message>
    <message>
        <source>Search the help for “%1”</source>
        <translation>Chercher « %1 » dans l’aide</translation>
    </message>
    <message>
        <source>Nothing found. Search the help for “%1”</source>
        <translation>Rien trouvé. Chercher « %1 » dans l’aide</translation>
    </message>
</context>
<context>
    <name>pollard::app::CompareControls</name>
    <message>
        <source>Off</source>
        <translation>Aucune</translation>
    </message>
    <message>
        <source>Split</source>
        <translation>Partage</translation>
    </message>
    <message>
        <source>Blink</source>
        <translation>Alternance</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>Différence</translation>
    </message>
    <message>
        <source>Comparison of original and result</source>
        <translation>Comparaison de l&apos;original et du résultat</translation>
    </message>
    <message>
        <source>Side by side (S), in turn (B), or their difference (D)</source>
        <translation>Côte à côte (S), tour à tour (B), ou leur différence (D)</translation>
    </message>
    <message>
        <source>Co&amp;mpare</source>
        <translation>Co&amp;mparer</translation>
    </message>
    <message>
        <source> s</source>
        <translation> s</translation>
    </message>
    <message>
        <source>Blink interval</source>
        <translation>Période de l&apos;alternance</translation>
    </message>
    <message>
        <source>Time that each of the two images is shown</source>
        <translation>Temps pendant lequel chacune des deux images est montrée</translation>
    </message>
    <message>
        <source>By itself</source>
        <translation>Seule</translation>
    </message>
    <message>
        <source>Blink by itself</source>
        <translation>Alterner sans intervention</translation>
    </message>
    <message>
        <source>Off: only the space bar switches the images</source>
        <translation>Sinon, seule la barre d&apos;espace change d&apos;image</translation>
    </message>
    <message>
        <source>Filtered − original</source>
        <translation>Filtrée − originale</translation>
    </message>
    <message>
        <source>|Filtered − original|</source>
        <translation>|Filtrée − originale|</translation>
    </message>
    <message>
        <source>Kind of difference</source>
        <translation>Type de différence</translation>
    </message>
    <message>
        <source>With its sign around the middle of the colours, or without</source>
        <translation>Avec son signe autour du milieu des couleurs, ou sans</translation>
    </message>
    <message>
        <source>± </source>
        <translation>± </translation>
    </message>
    <message>
        <source>Range of the difference</source>
        <translation>Étendue de la différence</translation>
    </message>
    <message>
        <source>Difference of values that reaches the end of the colours</source>
        <translation>Différence de valeurs qui atteint le bout des couleurs</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>Automatique</translation>
    </message>
    <message>
        <source>Automatic range</source>
        <translation>Étendue automatique</translation>
    </message>
    <message>
        <source>The 99 % percentile of the changed pixels, rounded up by a third at most so that it stays steady, from a sample of at most a million pixels</source>
        <translation>Le 99e centile des pixels changés, arrondi au plus d&apos;un tiers vers le haut pour rester stable, sur un échantillon d&apos;au plus un million de pixels</translation>
    </message>
    <message>
        <source>0 to </source>
        <translation>0 à </translation>
    </message>
</context>
<context>
    <name>pollard::app::ComponentStrip</name>
    <message>
        <source>Slices of the component</source>
        <translation>Coupes de la composante</translation>
    </message>
    <message>
        <source>The component from its first to its last slice; a click shows one</source>
        <translation>La composante de sa première à sa dernière coupe ; un clic en montre une</translation>
    </message>
    <message>
        <source>Show slice %1</source>
        <translation>Montrer la coupe %1</translation>
    </message>
</context>
<context>
    <name>pollard::app::ComponentThumbnail</name>
    <message>
        <source>The component</source>
        <translation>La composante</translation>
    </message>
    <message>
        <source>The component and its surroundings, as displayed</source>
        <translation>La composante et ses environs, comme à l&apos;écran</translation>
    </message>
</context>
<context>
    <name>pollard::app::ConditionField</name>
    <message>
        <source>Features</source>
        <translation>Grandeurs</translation>
    </message>
    <message>
        <source>%1 – %2, e.g. %3</source>
        <translation>%1 – %2, p. ex. %3</translation>
    </message>
    <message>
        <source>%1, e.g. %2</source>
        <translation>%1, p. ex. %2</translation>
    </message>
</context>
<context>
    <name>pollard::app::ContourChart</name>
    <message>
        <source>Energy and area over the states</source>
        <translation>Énergie et aire selon les états</translation>
    </message>
    <message>
        <source>Energy (left) and area (right) of every state. Click or drag to show another state.</source>
        <translation>Énergie (à gauche) et aire (à droite) de chaque état. Cliquez ou glissez pour montrer un autre état.</translation>
    </message>
    <message>
        <source>Energy</source>
        <translation>Énergie</translation>
    </message>
    <message>
        <source>over the states</source>
        <translation>selon les états</translation>
    </message>
</context>
<context>
    <name>pollard::app::ContourControls</name>
    <message>
        <source>T&amp;int the inside</source>
        <translation>T&amp;einter l&apos;intérieur</translation>
    </message>
    <message>
        <source>&amp;Law</source>
        <translation>&amp;Loi</translation>
    </message>
    <message>
        <source>&amp;Moves</source>
        <translation>&amp;Mouvements</translation>
    </message>
    <message>
        <source>Max &amp;step</source>
        <translation>&amp;Pas maximal</translation>
    </message>
    <message>
        <source>Min len&amp;gth</source>
        <translation>Lon&amp;gueur min.</translation>
    </message>
    <message>
        <source>Max &amp;nodes</source>
        <translation>&amp;Nœuds max.</translation>
    </message>
    <message>
        <source>Min r&amp;egion</source>
        <translation>R&amp;égion min.</translation>
    </message>
    <message>
        <source>Gaussian</source>
        <translation>Gaussienne</translation>
    </message>
    <message>
        <source>Mean and variance unknown: cameras, most images
n/2 ln(Q/n − (Z/n)²)</source>
        <translation>Moyenne et variance inconnues : caméras, la plupart des images
n/2 ln(Q/n − (Z/n)²)</translation>
    </message>
    <message>
        <source>Poisson</source>
        <translation>Poisson</translation>
    </message>
    <message>
        <source>Counts: few photons in microscopy, astronomy
−Z ln(Z/n)</source>
        <translation>Comptages : peu de photons en microscopie, astronomie
−Z ln(Z/n)</translation>
    </message>
    <message>
        <source>Gamma</source>
        <translation>Gamma</translation>
    </message>
    <message>
        <source>Speckle in intensity: radar
n ln(Z/n)</source>
        <translation>Speckle en intensité : radar
n ln(Z/n)</translation>
    </message>
    <message>
        <source>Rayleigh</source>
        <translation>Rayleigh</translation>
    </message>
    <message>
        <source>Speckle in amplitude: radar, ultrasound
n ln(Q/n)</source>
        <translation>Speckle en amplitude : radar, échographie
n ln(Q/n)</translation>
    </message>
    <message>
        <source>Law of the levels in a region</source>
        <translation>Loi des niveaux dans une région</translation>
    </message>
    <message>
        <source>Distribution of the levels in a region. The contour moves until the sum of both regions&apos; energies is least; a region has n pixels, Z is the sum of their levels, Q the sum of their squares:
Gaussian  n/2 ln(Q/n − (Z/n)²)
Poisson  −Z ln(Z/n)
Gamma  n ln(Z/n)
Rayleigh  n ln(Q/n)</source>
        <translation>Répartition des niveaux dans une région. Le contour se déplace jusqu&apos;à ce que la somme des énergies des deux régions soit minimale ; une région a n pixels, Z est la somme de leurs niveaux, Q celle des carrés :
Gaussienne  n/2 ln(Q/n − (Z/n)²)
Poisson  −Z ln(Z/n)
Gamma  n ln(Z/n)
Rayleigh  n ln(Q/n)</translation>
    </message>
    <message>
        <source>Local best</source>
        <translation>Meilleurs locaux</translation>
    </message>
    <message>
        <source>Every node that gains more than both neighbours</source>
        <translation>Chaque nœud qui gagne plus que ses deux voisins</translation>
    </message>
    <message>
        <source>Even and odd</source>
        <translation>Pairs et impairs</translation>
    </message>
    <message>
        <source>All even nodes together, then all odd ones</source>
        <translation>Tous les nœuds pairs ensemble, puis tous les impairs</translation>
    </message>
    <message>
        <source>One by one</source>
        <translation>Un par un</translation>
    </message>
    <message>
        <source>Each node sees the new places of the others</source>
        <translation>Chaque nœud voit les nouvelles places des autres</translation>
    </message>
    <message>
        <source>Nodes that move at once</source>
        <translation>Nœuds qui bougent à la fois</translation>
    </message>
    <message>
        <source>Which nodes move at once</source>
        <translation>Quels nœuds bougent à la fois</translation>
    </message>
    <message>
        <source>Tint the inside</source>
        <translation>Teinter l&apos;intérieur</translation>
    </message>
    <message>
        <source>Tint the inside of the contour</source>
        <translation>Colorer légèrement l&apos;intérieur du contour</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>Automatique</translation>
    </message>
    <message>
        <source>%1 px</source>
        <translation>%1 px</translation>
    </message>
    <message>
        <source>Largest step of a node</source>
        <translation>Plus grand pas d&apos;un nœud</translation>
    </message>
    <message>
        <source>d_max: nodes are tried at this distance first, then at half this distance and so on down to 1 px. It has to reach over the noise; automatic is the power of two below 1/32 of the longer side</source>
        <translation>d_max : les nœuds sont d&apos;abord essayés à cette distance, puis à la moitié et ainsi de suite jusqu&apos;à 1 px. Elle doit dépasser le bruit ; automatique est la puissance de deux sous 1/32 du plus long côté</translation>
    </message>
    <message>
        <source> px</source>
        <translation> px</translation>
    </message>
    <message>
        <source>Longest edge that is not split</source>
        <translation>Plus longue arête qui n&apos;est pas divisée</translation>
    </message>
    <message>
        <source>l_min: when no node moves, longer edges get a node in their middle. Short edges follow fine details, long ones are smooth and fast</source>
        <translation>l_min : quand aucun nœud ne bouge, les arêtes plus longues reçoivent un nœud en leur milieu. Des arêtes courtes suivent les détails, des longues sont lisses et rapides</translation>
    </message>
    <message>
        <source>Most nodes</source>
        <translation>Nombre maximal de nœuds</translation>
    </message>
    <message>
        <source>No edge is split beyond so many nodes</source>
        <translation>Aucune arête n&apos;est divisée au-delà de ce nombre de nœuds</translation>
    </message>
    <message>
        <source>Smallest region</source>
        <translation>Plus petite région</translation>
    </message>
    <message>
        <source>Least number of pixels inside, and outside</source>
        <translation>Nombre minimal de pixels à l&apos;intérieur, et à l&apos;extérieur</translation>
    </message>
    <message>
        <source>None</source>
        <translation>Aucun</translation>
    </message>
    <message>
        <source> / px</source>
        <translation> / px</translation>
    </message>
    <message>
        <source>Price on length</source>
        <translation>Prix de la longueur</translation>
    </message>
    <message>
        <source>Length &amp;price</source>
        <translation>Pri&amp;x longueur</translation>
    </message>
    <message>
        <source>Energy that each pixel of the contour&apos;s length adds. A higher price gives smoother, shorter contours: a spur w px wide goes if each of its pixels lowers the energy by less than 2/w of the price. Too high a price shrinks the contour to the smallest region</source>
        <translation>Énergie qu&apos;ajoute chaque pixel de la longueur du contour. Un prix plus élevé donne des contours plus lisses et plus courts : une pointe de w px de large disparaît si chacun de ses pixels abaisse l&apos;énergie de moins de 2/w du prix. Un prix trop élevé réduit le contour à la plus petite région</translation>
    </message>
    <message>
        <source>Auto (%1 px)</source>
        <translation>Auto (%1 px)</translation>
    </message>
    <message>
        <source>Auto</source>
        <translation>Auto</translation>
    </message>
    <message>
        <source>&amp;By</source>
        <translation>&amp;Calculé par</translation>
    </message>
    <message>
        <source>Engine and algorithm</source>
        <translation>Moteur et algorithme</translation>
    </message>
    <message>
        <source>CPU, stepwise</source>
        <translation>CPU, pas à pas</translation>
    </message>
    <message>
        <source>%1, for these moves</source>
        <translation>%1, pour ces mouvements</translation>
    </message>
    <message>
        <source>The algorithm of %1 for the moves above; if it fails, the CPU takes the same states</source>
        <translation>L&apos;algorithme de %1 pour les mouvements ci-dessus ; s&apos;il échoue, le CPU passe par les mêmes états</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1 : %2</translation>
    </message>
    <message>
        <source>This algorithm, with moves of its own</source>
        <translation>Cet algorithme, avec ses propres mouvements</translation>
    </message>
    <message>
        <source>M&amp;argin</source>
        <translation>M&amp;arge</translation>
    </message>
    <message>
        <source>Margin around a start</source>
        <translation>Marge autour d&apos;un départ</translation>
    </message>
    <message>
        <source>Compare &amp;with</source>
        <translation>Compa&amp;rer avec</translation>
    </message>
    <message>
        <source>The CPU computes a state when it is needed. A GPU computes all states at once; they are shown at the chosen speed, and a pause holds the shown one. Several contours on the whole image always evolve on the CPU</source>
        <translation>Le CPU calcule un état quand il est nécessaire. Un GPU les calcule tous d&apos;un coup ; ils sont montrés à la vitesse choisie, et une pause arrête sur l&apos;état montré. Plusieurs contours sur l&apos;image entière évoluent toujours sur le CPU</translation>
    </message>
    <message>
        <source>Surroundings</source>
        <translation>Environs</translation>
    </message>
    <message>
        <source>Each contour evolves in the box around its start and the margin, independent of all pixels outside</source>
        <translation>Chaque contour évolue dans la boîte autour de son départ et de la marge, indépendamment des pixels au-dehors</translation>
    </message>
    <message>
        <source>Whole image</source>
        <translation>Image entière</translation>
    </message>
    <message>
        <source>The outside is the rest of the image. Several contours share it, take turns, and never overlap</source>
        <translation>L&apos;extérieur est le reste de l&apos;image. Plusieurs contours le partagent, avancent à tour de rôle, et ne se recouvrent jamais</translation>
    </message>
    <message>
        <source>Reach of a contour</source>
        <translation>Portée d&apos;un contour</translation>
    </message>
    <message>
        <source>Surroundings: the contour separates one object from the pixels around it. Several contours are independent, their boxes may not overlap, and any engine can move them. Whole image: the contour divides the image in two; several share the outside and take turns</source>
        <translation>Environs : le contour sépare un objet des pixels autour. Plusieurs contours sont indépendants, leurs boîtes ne doivent pas se chevaucher, et tout moteur peut les déplacer. Image entière : le contour partage l&apos;image en deux ; plusieurs partagent l&apos;extérieur et avancent à tour de rôle</translation>
    </message>
    <message>
        <source>Reach of the surroundings on each side of the start. The contour can grow up to the dashed line on the image</source>
        <translation>Étendue des environs de chaque côté du départ. Le contour peut grandir jusqu&apos;à la ligne tiretée sur l&apos;image</translation>
    </message>
    <message>
        <source>New contours take the law that fits the growth of the noise with the level around them; the shown ones continue with it</source>
        <translation>Les nouveaux contours prennent la loi qui convient à la croissance du bruit avec le niveau autour d&apos;eux ; ceux qui sont affichés continuent avec elle</translation>
    </message>
    <message>
        <source>Automatic (%1)</source>
        <translation>Automatique (%1)</translation>
    </message>
</context>
<context>
    <name>pollard::app::ContourFrames</name>
    <message>
        <source>There is not enough memory.</source>
        <translation>Il n&apos;y a pas assez de mémoire.</translation>
    </message>
</context>
<context>
    <name>pollard::app::ContourPanel</name>
    <message>
        <source>&amp;Rectangle in the middle</source>
        <translation>&amp;Rectangle au milieu</translation>
    </message>
    <message>
        <source>A rectangle over the middle half of the visible part</source>
        <translation>Un rectangle sur la moitié centrale de la partie visible</translation>
    </message>
    <message>
        <source>&amp;Shape of the region</source>
        <translation>&amp;Forme de la région</translation>
    </message>
    <message>
        <source>The selected shape of the region, or the last one</source>
        <translation>La forme sélectionnée de la région, ou la dernière</translation>
    </message>
    <message>
        <source>Picked &amp;component</source>
        <translation>&amp;Composante désignée</translation>
    </message>
    <message>
        <source>Refine the outline of the component last kept or removed by a click</source>
        <translation>Affiner le bord de la composante qu&apos;un clic a gardée ou retirée en dernier</translation>
    </message>
    <message>
        <source>New start</source>
        <translation>Nouveau départ</translation>
    </message>
    <message>
        <source>Start a new contour; the other runs stay. The Objects panel refines a selected object</source>
        <translation>Commencer un nouveau contour ; les autres évolutions restent. Le panneau Objets affine un objet sélectionné</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Départ</translation>
    </message>
    <message>
        <source>px</source>
        <translation>px</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>moyenne</translation>
    </message>
    <message>
        <source>variance</source>
        <translation>variance</translation>
    </message>
    <message>
        <source>No run</source>
        <translation>Aucune évolution</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Évolutions</translation>
    </message>
    <message>
        <source>All runs on this image. A changed parameter or a moved node starts a new run from the shown state; the old one stays.</source>
        <translation>Toutes les évolutions sur cette image. Un paramètre changé ou un nœud déplacé en commence une nouvelle à partir de l&apos;état montré ; l&apos;ancienne reste.</translation>
    </message>
    <message>
        <source>Draw thin</source>
        <translation>Tracer en fin</translation>
    </message>
    <message>
        <source>Draw the last contour of this run as a thin line, to compare others with it</source>
        <translation>Tracer le dernier contour de cette évolution d&apos;une ligne fine, pour en comparer d&apos;autres</translation>
    </message>
    <message>
        <source>Delete this run</source>
        <translation>Supprimer cette évolution</translation>
    </message>
    <message>
        <source>Save the contour</source>
        <translation>Enregistrer le contour</translation>
    </message>
    <message>
        <source>Write the contour that is shown, or its run, into files</source>
        <translation>Écrire le contour montré, ou son évolution, dans des fichiers</translation>
    </message>
    <message>
        <source>&amp;Outline (GeoJSON)…</source>
        <translation>C&amp;ontour (GeoJSON)…</translation>
    </message>
    <message>
        <source>&amp;Mask (TIFF)…</source>
        <translation>&amp;Masque (TIFF)…</translation>
    </message>
    <message>
        <source>255 inside of the shown contour, 0 outside</source>
        <translation>255 à l&apos;intérieur du contour montré, 0 à l&apos;extérieur</translation>
    </message>
    <message>
        <source>&amp;Region (ImageJ)…</source>
        <translation>&amp;Région (ImageJ)…</translation>
    </message>
    <message>
        <source>The shown contour as a region of ImageJ</source>
        <translation>Le contour montré en région d&apos;ImageJ</translation>
    </message>
    <message>
        <source>&amp;Drawing (SVG)…</source>
        <translation>&amp;Dessin (SVG)…</translation>
    </message>
    <message>
        <source>The shown contour as a path, as large as the image</source>
        <translation>Le contour montré en tracé, aussi grand que l&apos;image</translation>
    </message>
    <message>
        <source>&amp;Trace of the run (CSV)…</source>
        <translation>&amp;Historique de l&apos;évolution (CSV)…</translation>
    </message>
    <message>
        <source>Energy, nodes, sizes, means, variances of all states</source>
        <translation>Énergie, nœuds, tailles, moyennes, variances de tous les états</translation>
    </message>
    <message>
        <source>&amp;Frames (PNG)…</source>
        <translation>&amp;Vues (PNG)…</translation>
    </message>
    <message>
        <source>The view with the contour, a numbered image for every recorded state</source>
        <translation>La vue avec le contour, une image numérotée pour chaque état enregistré</translation>
    </message>
    <message>
        <source>%1 states%2</source>
        <translation>%1 états%2</translation>
    </message>
    <message>
        <source>, finished</source>
        <translation>, terminée</translation>
    </message>
    <message>
        <source>Choose where the contour starts: around an object, or across its border.</source>
        <translation>Choisissez où le contour commence : autour d&apos;un objet, ou à cheval sur son bord.</translation>
    </message>
    <message>
        <source>start</source>
        <translation>départ</translation>
    </message>
    <message>
        <source>step %1 px</source>
        <translation>pas de %1 px</translation>
    </message>
    <message>
        <source>split</source>
        <translation>division</translation>
    </message>
    <message>
        <source>State %1 of %2</source>
        <translation>État %1 sur %2</translation>
    </message>
    <message>
        <source>State %1 of %2 so far</source>
        <translation>État %1 sur %2 pour l&apos;instant</translation>
    </message>
    <message>
        <source>Energy %1</source>
        <translation>Énergie %1</translation>
    </message>
    <message>
        <source>%1 nodes, %2</source>
        <translation>%1 nœuds, %2</translation>
    </message>
    <message>
        <source>Inside</source>
        <translation>Intérieur</translation>
    </message>
    <message>
        <source>Outside</source>
        <translation>Extérieur</translation>
    </message>
    <message>
        <source>&amp;All shapes of the region</source>
        <translation>&amp;Toutes les formes de la région</translation>
    </message>
    <message>
        <source>A contour for every shape of the region</source>
        <translation>Un contour pour chaque forme de la région</translation>
    </message>
    <message>
        <source>Selected c&amp;omponents</source>
        <translation>Composantes &amp;sélectionnées</translation>
    </message>
    <message>
        <source>Refine the outlines of all selected components</source>
        <translation>Affiner les bords de toutes les composantes sélectionnées</translation>
    </message>
    <message>
        <source>Selected o&amp;bjects</source>
        <translation>&amp;Objets sélectionnés</translation>
    </message>
    <message>
        <source>Follow over the pages</source>
        <translation>Suivre au fil des pages</translation>
    </message>
    <message>
        <source>&amp;Draw a rectangle</source>
        <translation>&amp;Dessiner un rectangle</translation>
    </message>
    <message>
        <source>Draw a rectangle on the image; it is no part of the region</source>
        <translation>Dessiner un rectangle sur l&apos;image ; il ne fait pas partie de la région</translation>
    </message>
    <message>
        <source>Draw an &amp;ellipse</source>
        <translation>Dessiner une &amp;ellipse</translation>
    </message>
    <message>
        <source>Draw an ellipse on the image; it is no part of the region</source>
        <translation>Dessiner une ellipse sur l&apos;image ; elle ne fait pas partie de la région</translation>
    </message>
    <message>
        <source>Draw a &amp;polygon</source>
        <translation>Dessiner un &amp;polygone</translation>
    </message>
    <message>
        <source>Click the corners of a polygon; it is no part of the region</source>
        <translation>Cliquer les coins d&apos;un polygone ; il ne fait pas partie de la région</translation>
    </message>
    <message>
        <source>Click the corners on the image; Return closes the polygon, Escape ends.</source>
        <translation>Cliquez les coins sur l&apos;image ; Entrée ferme le polygone, Échap termine.</translation>
    </message>
    <message>
        <source>Drag over the image to draw the start; Escape ends.</source>
        <translation>Faites glisser sur l&apos;image pour dessiner le départ ; Échap termine.</translation>
    </message>
    <message>
        <source>Show ob&amp;jects</source>
        <translation>Montrer les ob&amp;jets</translation>
    </message>
    <message>
        <source>Show objects</source>
        <translation>Montrer les objets</translation>
    </message>
    <message>
        <source>Show the colours of the Objects panel below the contours, and in all workspaces</source>
        <translation>Montrer les couleurs du panneau Objets sous les contours, et dans tous les espaces de travail</translation>
    </message>
    <message>
        <source>Outline for m&amp;aps (GeoPackage)…</source>
        <translation>Contour pour les c&amp;artes (GeoPackage)…</translation>
    </message>
    <message>
        <source>The same in the coordinate system of the image; also FlatGeobuf and CSV with WKT</source>
        <translation>Le même dans le système de coordonnées de l’image ; aussi FlatGeobuf et CSV avec WKT</translation>
    </message>
    <message>
        <source>Refine the outlines of all objects that are selected in the Objects panel</source>
        <translation>Affiner les bords de tous les objets sélectionnés dans le panneau Objets</translation>
    </message>
    <message>
        <source>The shown contour as a polygon, in longitude and latitude if the image has a map; of a contour that was followed the polygons of all pages, with their areas and means</source>
        <translation>Le contour affiché comme polygone, en longitude et latitude si l&apos;image a une carte ; d&apos;un contour suivi, les polygones de toutes les pages, avec leurs aires et moyennes</translation>
    </message>
    <message>
        <source>Ta&amp;ble of the pages (CSV)…</source>
        <translation>Ta&amp;bleau des pages (CSV)…</translation>
    </message>
    <message>
        <source>Area, length and mean of the contours on all pages that they were followed over</source>
        <translation>Aire, longueur et moyenne des contours sur toutes les pages où ils ont été suivis</translation>
    </message>
    <message>
        <source>area</source>
        <translation>aire</translation>
    </message>
    <message>
        <source>%1 px</source>
        <translation>%1 px</translation>
    </message>
    <message>
        <source>trimmed</source>
        <translation>élagué</translation>
    </message>
    <message>
        <source>Delete this run with all its states; Undo brings it back</source>
        <translation>Supprimer cette évolution avec tous ses états ; Annuler la ramène</translation>
    </message>
    <message>
        <source>Let the contours go through the pages after this one, in a file with times along time</source>
        <translation>Faire passer les contours par les pages suivantes, le long du temps si le fichier a des temps</translation>
    </message>
    <message>
        <source>Measurement over the pages</source>
        <translation>Mesure selon les pages</translation>
    </message>
    <message>
        <source>The measurement that the chart shows over the pages</source>
        <translation>La mesure que le graphique montre selon les pages</translation>
    </message>
</context>
<context>
    <name>pollard::app::ContourPicker</name>
    <message>
        <source>Add a contour</source>
        <translation>Ajouter un contour</translation>
    </message>
    <message>
        <source>Let another contour evolve together with the shown ones; they never overlap</source>
        <translation>Faire évoluer un autre contour avec ceux qui sont montrés ; ils ne se recouvrent jamais</translation>
    </message>
    <message>
        <source>Remove this contour</source>
        <translation>Retirer ce contour</translation>
    </message>
    <message>
        <source>Continue without the current contour</source>
        <translation>Continuer sans le contour courant</translation>
    </message>
    <message>
        <source>Current contour</source>
        <translation>Contour courant</translation>
    </message>
    <message>
        <source>The contour of the curves, histograms and numbers; the others are drawn thin and pale</source>
        <translation>Le contour des courbes, des histogrammes et des nombres ; les autres sont tracés fins et pâles</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 sur %2</translation>
    </message>
</context>
<context>
    <name>pollard::app::ContourSeriesChart</name>
    <message>
        <source>Followed contours over the pages</source>
        <translation>Contours suivis selon les pages</translation>
    </message>
    <message>
        <source>The measurement of every contour on the pages that it was followed over. Click, or use the arrow keys, to turn to a page.</source>
        <translation>La mesure de chaque contour sur les pages où il a été suivi. Cliquez, ou utilisez les touches fléchées, pour aller à une page.</translation>
    </message>
    <message>
        <source>Follow the contours over the pages to see how they change.</source>
        <translation>Suivez les contours sur les pages pour voir comment ils changent.</translation>
    </message>
</context>
<context>
    <name>pollard::app::ContourTransport</name>
    <message>
        <source>First state</source>
        <translation>Premier état</translation>
    </message>
    <message>
        <source>Show the start (Home)</source>
        <translation>Montrer le départ (Début)</translation>
    </message>
    <message>
        <source>One state back</source>
        <translation>Un état en arrière</translation>
    </message>
    <message>
        <source>Show the previous state (Left)</source>
        <translation>Montrer l&apos;état précédent (Gauche)</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>Jouer</translation>
    </message>
    <message>
        <source>One state on</source>
        <translation>Un état en avant</translation>
    </message>
    <message>
        <source>Show the next state, computed if necessary (Right)</source>
        <translation>Montrer l&apos;état suivant, calculé au besoin (Droite)</translation>
    </message>
    <message>
        <source>Last state</source>
        <translation>Dernier état</translation>
    </message>
    <message>
        <source>Compute all states and show the last one (End)</source>
        <translation>Calculer tous les états et montrer le dernier (Fin)</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>Chronologie</translation>
    </message>
    <message>
        <source>The recorded states; drag to see any state</source>
        <translation>Les états enregistrés ; glissez pour en voir n&apos;importe lequel</translation>
    </message>
    <message>
        <source>Fastest</source>
        <translation>Au plus vite</translation>
    </message>
    <message>
        <source>%1 / s</source>
        <translation>%1 / s</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>Vitesse</translation>
    </message>
    <message>
        <source>States shown per second; computing runs as fast as possible</source>
        <translation>États montrés par seconde ; le calcul avance aussi vite que possible</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pause</translation>
    </message>
    <message>
        <source>Pause (Space)</source>
        <translation>Pause (Espace)</translation>
    </message>
    <message>
        <source>Let the contour evolve (Space)</source>
        <translation>Laisser évoluer le contour (Espace)</translation>
    </message>
</context>
<context>
    <name>pollard::app::CounterTable</name>
    <message>
        <source>Nodes kept</source>
        <translation>Nœuds gardés</translation>
    </message>
    <message>
        <source>Nodes removed</source>
        <translation>Nœuds retirés</translation>
    </message>
    <message>
        <source>Components of the tree that the filter removes</source>
        <translation>Composantes de l&apos;arbre que le filtre retire</translation>
    </message>
    <message>
        <source>Pixels changed</source>
        <translation>Pixels changés</translation>
    </message>
    <message>
        <source>Pixels whose filtered value differs from the image</source>
        <translation>Pixels dont la valeur filtrée diffère de l&apos;image</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Temps</translation>
    </message>
    <message>
        <source>Time of the last filtering on the compute thread</source>
        <translation>Temps du dernier filtrage sur le fil de calcul</translation>
    </message>
    <message>
        <source>Components of the tree that the filter keeps; the root is always kept, even if it does not meet the criteria</source>
        <translation>Composantes de l’arbre que le filtre garde ; la racine est toujours gardée, même si elle ne remplit pas les critères</translation>
    </message>
    <message>
        <source>Nodes kept, with the root</source>
        <translation>Nœuds gardés, avec la racine</translation>
    </message>
    <message>
        <source>Voxels changed</source>
        <translation>Voxels modifiés</translation>
    </message>
</context>
<context>
    <name>pollard::app::CriteriaList</name>
    <message>
        <source>Criteria</source>
        <translation>Critères</translation>
    </message>
    <message>
        <source>Criteria of the filter; the selected one is edited below. At the right: components that meet it alone. Space turns it on or off, Delete removes it.</source>
        <translation>Critères du filtre ; celui qui est sélectionné est réglé au-dessous. À droite : les composantes qui remplissent lui seul. Espace l&apos;active ou le désactive, Suppr le retire.</translation>
    </message>
    <message>
        <source>Add a criterion</source>
        <translation>Ajouter un critère</translation>
    </message>
    <message>
        <source>Add a criterion: choose its attribute</source>
        <translation>Ajouter un critère : choisir son attribut</translation>
    </message>
    <message>
        <source>Copy the criterion</source>
        <translation>Copier le critère</translation>
    </message>
    <message>
        <source>Add a copy of the selected criterion</source>
        <translation>Ajouter une copie du critère sélectionné</translation>
    </message>
    <message>
        <source>Remove the criterion</source>
        <translation>Retirer le critère</translation>
    </message>
    <message>
        <source>Remove the selected criterion</source>
        <translation>Retirer le critère sélectionné</translation>
    </message>
    <message>
        <source>all criteria</source>
        <translation>tous</translation>
    </message>
    <message>
        <source>any criterion</source>
        <translation>l&apos;un d&apos;eux</translation>
    </message>
    <message>
        <source>Components have to meet every criterion that is on (AND)</source>
        <translation>Les composantes doivent remplir chaque critère actif (ET)</translation>
    </message>
    <message>
        <source>Components have to meet one of the criteria that are on (OR)</source>
        <translation>Les composantes doivent remplir l&apos;un des critères actifs (OU)</translation>
    </message>
    <message>
        <source>Combination of the criteria</source>
        <translation>Combinaison des critères</translation>
    </message>
    <message>
        <source>Whether components have to meet all of the criteria, or any</source>
        <translation>Si les composantes doivent remplir tous les critères ou l&apos;un d&apos;eux</translation>
    </message>
</context>
<context>
    <name>pollard::app::CriterionControls</name>
    <message>
        <source>Reset the range</source>
        <translation>Réinitialiser l&apos;intervalle</translation>
    </message>
    <message>
        <source>Reset the range: remove both bounds</source>
        <translation>Réinitialiser l&apos;intervalle : enlever les deux bornes</translation>
    </message>
    <message>
        <source>Components inside the range are kept. Drag a handle, or the bar between both.</source>
        <translation>Les composantes dans l&apos;intervalle sont gardées. Glissez une poignée, ou la barre entre les deux.</translation>
    </message>
    <message>
        <source>Smallest value that is kept</source>
        <translation>Plus petite valeur gardée</translation>
    </message>
    <message>
        <source>Largest value that is kept</source>
        <translation>Plus grande valeur gardée</translation>
    </message>
    <message>
        <source>Components with a smaller value are removed; equal ones are kept</source>
        <translation>Les composantes de valeur inférieure sont retirées ; celles de valeur égale sont gardées</translation>
    </message>
    <message>
        <source>Components with a larger value are removed; equal ones are kept</source>
        <translation>Les composantes de valeur supérieure sont retirées ; celles de valeur égale sont gardées</translation>
    </message>
    <message>
        <source>&amp;From</source>
        <translation>&amp;De</translation>
    </message>
    <message>
        <source>&amp;To</source>
        <translation>&amp;À</translation>
    </message>
    <message>
        <source>Smallest %1 that is kept</source>
        <translation>Plus petite valeur gardée : %1</translation>
    </message>
    <message>
        <source>Largest %1 that is kept</source>
        <translation>Plus grande valeur gardée : %1</translation>
    </message>
    <message>
        <source>measuring…</source>
        <translation>mesure en cours…</translation>
    </message>
    <message>
        <source>the same for all components</source>
        <translation>la même pour toutes les composantes</translation>
    </message>
    <message>
        <source>Unit of the bounds</source>
        <translation>Unité des bornes</translation>
    </message>
    <message>
        <source>Unit of both bounds; another unit converts the numbers</source>
        <translation>Unité des deux bornes ; une autre unité convertit les nombres</translation>
    </message>
    <message>
        <source>Unit</source>
        <translation>Unité</translation>
    </message>
</context>
<context>
    <name>pollard::app::DataMenu</name>
    <message>
        <source>&amp;Copy rows</source>
        <translation>&amp;Copier les lignes</translation>
    </message>
    <message>
        <source>Copy &amp;image</source>
        <translation>Copier l&apos;&amp;image</translation>
    </message>
    <message>
        <source>&amp;Copy data</source>
        <translation>&amp;Copier les données</translation>
    </message>
    <message>
        <source>&amp;Save image as…</source>
        <translation>&amp;Enregistrer l&apos;image sous…</translation>
    </message>
    <message>
        <source>Save &amp;data as…</source>
        <translation>Enregistrer les &amp;données sous…</translation>
    </message>
    <message>
        <source>With a row of &amp;units</source>
        <translation>Avec une ligne d&apos;&amp;unités</translation>
    </message>
    <message>
        <source>Units are in a line of their own below the names of the columns</source>
        <translation>Les unités sont sur leur propre ligne sous les noms des colonnes</translation>
    </message>
    <message>
        <source>Save the chart</source>
        <translation>Enregistrer le graphique</translation>
    </message>
    <message>
        <source>SVG drawing (*.svg);;PNG image (*.png)</source>
        <translation>Dessin SVG (*.svg);;Image PNG (*.png)</translation>
    </message>
    <message>
        <source>Save the numbers</source>
        <translation>Enregistrer les nombres</translation>
    </message>
    <message>
        <source>Comma-separated table (*.csv);;Tab-separated table (*.tsv)</source>
        <translation>Tableau séparé par des virgules (*.csv);;Tableau séparé par des tabulations (*.tsv)</translation>
    </message>
    <message>
        <source>The file was not saved</source>
        <translation>Le fichier n&apos;a pas été enregistré</translation>
    </message>
</context>
<context>
    <name>pollard::app::DisplayPanel</name>
    <message>
        <source> %</source>
        <translation> %</translation>
    </message>
    <message>
        <source>Image</source>
        <translation>Image</translation>
    </message>
    <message>
        <source>Visible part</source>
        <translation>Partie visible</translation>
    </message>
    <message>
        <source>Region</source>
        <translation>Région</translation>
    </message>
    <message>
        <source>Pixels of the histogram</source>
        <translation>Pixels de l&apos;histogramme</translation>
    </message>
    <message>
        <source>Counted pixels: all, the visible ones, or the pixels of the analysed region (all if there is none)</source>
        <translation>Pixels comptés : tous, ceux qui sont visibles, ou ceux de la région analysée (tous s&apos;il n&apos;y en a pas)</translation>
    </message>
    <message>
        <source>Log heights</source>
        <translation>Hauteurs log</translation>
    </message>
    <message>
        <source>Logarithmic histogram</source>
        <translation>Histogramme logarithmique</translation>
    </message>
    <message>
        <source>Bars grow with the logarithm of the number of pixels</source>
        <translation>Les barres croissent avec le logarithme du nombre de pixels</translation>
    </message>
    <message>
        <source>&amp;Histogram</source>
        <translation>&amp;Histogramme</translation>
    </message>
    <message>
        <source>Black level</source>
        <translation>Niveau du noir</translation>
    </message>
    <message>
        <source>Grey level of the first colour</source>
        <translation>Niveau de gris de la première couleur</translation>
    </message>
    <message>
        <source>White level</source>
        <translation>Niveau du blanc</translation>
    </message>
    <message>
        <source>Grey level of the last colour</source>
        <translation>Niveau de gris de la dernière couleur</translation>
    </message>
    <message>
        <source>Share of black pixels</source>
        <translation>Part des pixels noirs</translation>
    </message>
    <message>
        <source>Percent of the pixels that the automatic window makes black</source>
        <translation>Pourcentage des pixels que la fenêtre automatique rend noirs</translation>
    </message>
    <message>
        <source>Share of pixels below white</source>
        <translation>Part des pixels sous le blanc</translation>
    </message>
    <message>
        <source>Percent of the pixels that the automatic window leaves darker than white</source>
        <translation>Pourcentage des pixels que la fenêtre automatique laisse plus sombres que le blanc</translation>
    </message>
    <message>
        <source>Full</source>
        <translation>Tout</translation>
    </message>
    <message>
        <source>Full range</source>
        <translation>Tous les niveaux</translation>
    </message>
    <message>
        <source>Window from 0 to the largest level that the pixel type holds (Shift+A)</source>
        <translation>Fenêtre de 0 au plus grand niveau du type de pixel (Maj+A)</translation>
    </message>
    <message>
        <source>Auto</source>
        <translation>Auto</translation>
    </message>
    <message>
        <source>Automatic window</source>
        <translation>Fenêtre automatique</translation>
    </message>
    <message>
        <source>Window from the one percentile of the pixels to the other (A)</source>
        <translation>Fenêtre d&apos;un centile des pixels à l&apos;autre (A)</translation>
    </message>
    <message>
        <source>&amp;Black</source>
        <translation>&amp;Noir</translation>
    </message>
    <message>
        <source>&amp;White</source>
        <translation>&amp;Blanc</translation>
    </message>
    <message>
        <source>Tone curve</source>
        <translation>Courbe de tons</translation>
    </message>
    <message>
        <source>Spread of the window over the colours: logarithm, asinh and square root brighten dark parts, gamma is a power of your choice</source>
        <translation>Répartition de la fenêtre sur les couleurs : le logarithme, l’asinh et la racine carrée éclaircissent les parties sombres, gamma est une puissance de votre choix</translation>
    </message>
    <message>
        <source>Gamma</source>
        <translation>Gamma</translation>
    </message>
    <message>
        <source>Power of the tone curve: below 1 the dark parts become brighter</source>
        <translation>Puissance de la courbe de tons : au-dessous de 1 les parties sombres s&apos;éclaircissent</translation>
    </message>
    <message>
        <source>Colour map</source>
        <translation>Table de couleurs</translation>
    </message>
    <message>
        <source>Colours of the grey levels. All but turbo are perceptually uniform and legible with colour-vision deficiency.</source>
        <translation>Couleurs des niveaux de gris. Toutes sauf turbo sont régulières à l&apos;œil et lisibles par les personnes daltoniennes.</translation>
    </message>
    <message>
        <source>Inverted</source>
        <translation>Inversée</translation>
    </message>
    <message>
        <source>Colour map inverted</source>
        <translation>Table de couleurs inversée</translation>
    </message>
    <message>
        <source>The colour map backwards (I)</source>
        <translation>La table de couleurs à l&apos;envers (I)</translation>
    </message>
    <message>
        <source>&amp;Tone</source>
        <translation>&amp;Tons</translation>
    </message>
    <message>
        <source>&amp;Colours</source>
        <translation>&amp;Couleurs</translation>
    </message>
    <message>
        <source>Mark saturation</source>
        <translation>Marquer la saturation</translation>
    </message>
    <message>
        <source>Levels at or below the window in blue, at or above it in red (H)</source>
        <translation>Niveaux au bas de la fenêtre ou au-dessous en bleu, au haut ou au-dessus en rouge (H)</translation>
    </message>
    <message>
        <source>Pixels of the whole image at the ends of the file&apos;s range of values</source>
        <translation>Pixels de toute l&apos;image aux extrémités de l&apos;intervalle de valeurs du fichier</translation>
    </message>
    <message>
        <source>Use this display for every image</source>
        <translation>Utiliser cet affichage pour toutes les images</translation>
    </message>
    <message>
        <source>One window, tone curve and colour map for every file; else each file keeps its own, also for the next time it is opened</source>
        <translation>Une fenêtre, une courbe de tons et une table de couleurs pour tous les fichiers ; sinon chaque fichier garde les siennes, aussi pour la prochaine ouverture</translation>
    </message>
    <message>
        <source>Pixels of the whole original at or beyond the window: the marked ones</source>
        <translation>Pixels de tout l’original aux bornes de la fenêtre ou au-delà : les pixels marqués</translation>
    </message>
    <message>
        <source>Fit the result</source>
        <translation>Adapter au résultat</translation>
    </message>
    <message>
        <source>Automatic window of the result</source>
        <translation>Fenêtre automatique du résultat</translation>
    </message>
    <message>
        <source>Gives filtered images an automatic window of their own levels; otherwise they have the window of the original, so that both can be compared. A window with set numbers turns this off.</source>
        <translation>Donne aux images filtrées une fenêtre automatique selon leurs propres niveaux ; sinon elles ont celle de l&apos;original, pour que les deux soient comparables. Une fenêtre fixée par des nombres y met fin.</translation>
    </message>
    <message>
        <source>Composite of all channels</source>
        <translation>Composition de tous les canaux</translation>
    </message>
    <message>
        <source>Adds the channels in their colours; the channel that the filter works on is shown filtered. Off: that channel alone, in grey or a colour map</source>
        <translation>Additionne les canaux dans leurs couleurs ; le canal sur lequel porte le filtre est montré filtré. Désactivé : ce canal seul, en gris ou dans une palette</translation>
    </message>
    <message>
        <source>Values of the file</source>
        <translation>Valeurs du fichier</translation>
    </message>
    <message>
        <source>Values of the file in %1</source>
        <translation>Valeurs du fichier en %1</translation>
    </message>
    <message>
        <source>Levels %1 to %2</source>
        <translation>Niveaux %1 à %2</translation>
    </message>
    <message>
        <source>Named</source>
        <translation>Nommée</translation>
    </message>
    <message>
        <source>Named windows</source>
        <translation>Fenêtres nommées</translation>
    </message>
    <message>
        <source>The window that the file states, those for brain, bone, lung and soft tissue in Hounsfield units, and zscale of astronomers for 16-bit images</source>
        <translation>La fenêtre indiquée par le fichier, celles du cerveau, des os, du poumon et des tissus mous en unités Hounsfield, et zscale des astronomes pour les images 16 bits</translation>
    </message>
</context>
<context>
    <name>pollard::app::DocumentDialogs</name>
    <message>
        <source>Open as raw data…</source>
        <translation>Ouvrir en données brutes…</translation>
    </message>
    <message>
        <source>Open raw data</source>
        <translation>Ouvrir des données brutes</translation>
    </message>
    <message>
        <source>TIFF image (*.tif *.tiff)</source>
        <translation>Image TIFF (*.tif *.tiff)</translation>
    </message>
    <message>
        <source>Filter all %1</source>
        <translation>Filtrer toutes les %1</translation>
    </message>
</context>
<context>
    <name>pollard::app::EarlierActions</name>
    <message>
        <source>&amp;Continue from the result</source>
        <translation>&amp;Continuer à partir du résultat</translation>
    </message>
    <message>
        <source>Let another filter work on the result of this one</source>
        <translation>Faire agir un autre filtre sur le résultat de celui-ci</translation>
    </message>
    <message>
        <source>&amp;Back to the previous filter</source>
        <translation>Revenir au filtre d&apos;a&amp;vant</translation>
    </message>
    <message>
        <source>Edit the last of the earlier filters again, in place of this one</source>
        <translation>Modifier de nouveau le dernier des filtres précédents, à la place de celui-ci</translation>
    </message>
    <message>
        <source>Clear filt&amp;er</source>
        <translation>Retirer le &amp;filtre</translation>
    </message>
    <message>
        <source>Remove all filters: the result is the image as it is in the file</source>
        <translation>Retirer tous les filtres : le résultat est l&apos;image telle qu&apos;elle est dans le fichier</translation>
    </message>
    <message>
        <source>Operator…</source>
        <translation>Opérateur…</translation>
    </message>
    <message>
        <source>Opening, top-hat, smoothing, distance, skeleton … of the result, as a step before the next filter</source>
        <translation>Ouverture, chapeau haut-de-forme, lissage, distance, squelette … du résultat, comme étape avant le filtre suivant</translation>
    </message>
</context>
<context>
    <name>pollard::app::EarlierFiltersNote</name>
    <message>
        <source>Back to the previous filter</source>
        <translation>Revenir au filtre d&apos;avant</translation>
    </message>
    <message>
        <source>The last of the earlier filters becomes the current one again, in place of this one</source>
        <translation>Le dernier des filtres précédents redevient le filtre actuel, à la place de celui-ci</translation>
    </message>
</context>
<context>
    <name>pollard::app::EditActions</name>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Annuler</translation>
    </message>
    <message>
        <source>Undo the last change</source>
        <translation>Annuler le dernier changement</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>&amp;Rétablir</translation>
    </message>
    <message>
        <source>Redo the change that was undone</source>
        <translation>Refaire le changement annulé</translation>
    </message>
    <message>
        <source>&amp;Undo %1</source>
        <translation>&amp;Annuler : %1</translation>
    </message>
    <message>
        <source>&amp;Redo %1</source>
        <translation>&amp;Rétablir : %1</translation>
    </message>
</context>
<context>
    <name>pollard::app::ExerciseDialog</name>
    <message>
        <source>With the answers</source>
        <translation>Avec les réponses</translation>
    </message>
    <message>
        <source>Exercises</source>
        <translation>Exercices</translation>
    </message>
    <message>
        <source>Number of the sheet</source>
        <translation>Numéro de la feuille</translation>
    </message>
    <message>
        <source>The same number gives the same exercises again, another one gives others</source>
        <translation>Le même numéro redonne les mêmes exercices, un autre en donne d’autres</translation>
    </message>
    <message>
        <source>Number of exercises</source>
        <translation>Nombre d&apos;exercices</translation>
    </message>
    <message>
        <source>Write the answers into the cells</source>
        <translation>Écrire les réponses dans les cases</translation>
    </message>
    <message>
        <source>Save as PDF…</source>
        <translation>Enregistrer en PDF…</translation>
    </message>
    <message>
        <source>Save the exercises</source>
        <translation>Enregistrer les exercices</translation>
    </message>
    <message>
        <source>PDF (*.pdf)</source>
        <translation>PDF (*.pdf)</translation>
    </message>
    <message>
        <source>The exercises were not saved</source>
        <translation>Les exercices n&apos;ont pas été enregistrés</translation>
    </message>
    <message>
        <source>Draw the tree</source>
        <translation>Dessiner l&apos;arbre</translation>
    </message>
    <message>
        <source>Nodes that a filter keeps</source>
        <translation>Nœuds qu&apos;un filtre garde</translation>
    </message>
    <message>
        <source>The filtered image</source>
        <translation>L&apos;image filtrée</translation>
    </message>
    <message>
        <source>Objects at a threshold</source>
        <translation>Objets à un seuil</translation>
    </message>
    <message>
        <source>All in turn</source>
        <translation>Tous à tour de rôle</translation>
    </message>
    <message>
        <source>Topic</source>
        <translation>Sujet</translation>
    </message>
    <message>
        <source>What the exercises ask for</source>
        <translation>Ce que les exercices demandent</translation>
    </message>
    <message>
        <source>Easy</source>
        <translation>Facile</translation>
    </message>
    <message>
        <source>Usual</source>
        <translation>Habituel</translation>
    </message>
    <message>
        <source>Hard</source>
        <translation>Difficile</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>Difficulté</translation>
    </message>
    <message>
        <source>Size of the images and of their trees: to 5, 8 or 16 nodes</source>
        <translation>Taille des images et de leurs arbres : jusqu&apos;à 5, 8 ou 16 nœuds</translation>
    </message>
    <message>
        <source>The first exercise</source>
        <translation>Le premier exercice</translation>
    </message>
</context>
<context>
    <name>pollard::app::ExportDialog</name>
    <message>
        <source>Export view</source>
        <translation>Exporter la vue</translation>
    </message>
    <message>
        <source>With the visible scale bar, rulers, grid and &amp;regions</source>
        <translation>Avec la barre d&apos;échelle, les règles, la grille et les &amp;régions visibles</translation>
    </message>
    <message>
        <source>Draw the overlays into the file too</source>
        <translation>Dessiner aussi les superpositions dans le fichier</translation>
    </message>
    <message>
        <source>Size of the file</source>
        <translation>Taille du fichier</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>Exporter…</translation>
    </message>
    <message>
        <source>&amp;Visible part of the image</source>
        <translation>Partie &amp;visible de l&apos;image</translation>
    </message>
    <message>
        <source>The part that the canvas shows</source>
        <translation>La partie que montre l&apos;image à l&apos;écran</translation>
    </message>
    <message>
        <source>&amp;Whole image</source>
        <translation>&amp;Toute l&apos;image</translation>
    </message>
    <message>
        <source>All of the image, not just the visible part</source>
        <translation>Toute l&apos;image, pas seulement la partie visible</translation>
    </message>
    <message>
        <source>Part</source>
        <translation>Partie</translation>
    </message>
    <message>
        <source> %</source>
        <translation> %</translation>
    </message>
    <message>
        <source>Scale</source>
        <translation>Échelle</translation>
    </message>
    <message>
        <source>100 %: one px of the file for every px of the image</source>
        <translation>100 % : un px du fichier pour chaque px de l&apos;image</translation>
    </message>
    <message>
        <source> px</source>
        <translation> px</translation>
    </message>
    <message>
        <source>Width</source>
        <translation>Largeur</translation>
    </message>
    <message>
        <source>Width of the file; the scale follows</source>
        <translation>Largeur du fichier ; l&apos;échelle suit</translation>
    </message>
    <message>
        <source>&amp;Scale</source>
        <translation>&amp;Échelle</translation>
    </message>
    <message>
        <source>W&amp;idth</source>
        <translation>&amp;Largeur</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Taille</translation>
    </message>
    <message>
        <source>Nothing of the image is visible.</source>
        <translation>Rien de l&apos;image n&apos;est visible.</translation>
    </message>
    <message>
        <source>%1 × %2 px, RGB, %3 before compression</source>
        <translation>%1 × %2 px, RVB, %3 avant compression</translation>
    </message>
</context>
<context>
    <name>pollard::app::FilterPanel</name>
    <message>
        <source>Result</source>
        <translation>Résultat</translation>
    </message>
    <message>
        <source>Keep components that meet</source>
        <translation>Garder les composantes qui remplissent</translation>
    </message>
    <message>
        <source>Filter on</source>
        <translation>Filtre actif</translation>
    </message>
    <message>
        <source>Off: nothing is removed; the numbers stay</source>
        <translation>Désactivé : rien n&apos;est retiré ; les nombres restent</translation>
    </message>
    <message>
        <source>Rule</source>
        <translation>Règle</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>Sortie</translation>
    </message>
    <message>
        <source>&amp;Rule</source>
        <translation>&amp;Règle</translation>
    </message>
    <message>
        <source>&amp;Output</source>
        <translation>S&amp;ortie</translation>
    </message>
    <message>
        <source>&amp;Live</source>
        <translation>Dire&amp;ct</translation>
    </message>
    <message>
        <source>Live</source>
        <translation>Direct</translation>
    </message>
    <message>
        <source>Filter at every change. Off: only Apply does</source>
        <translation>Filtrer à chaque changement. Désactivé : seulement par Appliquer</translation>
    </message>
    <message>
        <source>&amp;Apply</source>
        <translation>&amp;Appliquer</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>Appliquer</translation>
    </message>
    <message>
        <source>Filter with the present settings</source>
        <translation>Filtrer avec les réglages présents</translation>
    </message>
    <message>
        <source>Clear the filter</source>
        <translation>Retirer le filtre</translation>
    </message>
    <message>
        <source>Remove all filters: the result is the image as it is in the file</source>
        <translation>Retirer tous les filtres : le résultat est l&apos;image telle qu&apos;elle est dans le fichier</translation>
    </message>
</context>
<context>
    <name>pollard::app::FolderButton</name>
    <message>
        <source>Show in folder</source>
        <translation>Afficher dans le dossier</translation>
    </message>
    <message>
        <source>Open %1 in the file manager</source>
        <translation>Ouvrir %1 dans le gestionnaire de fichiers</translation>
    </message>
</context>
<context>
    <name>pollard::app::FollowBar</name>
    <message>
        <source>Stop following</source>
        <translation>Arrêter le suivi</translation>
    </message>
    <message>
        <source>Stop here; finished pages keep their contours</source>
        <translation>Arrêter ici ; les pages terminées gardent leurs contours</translation>
    </message>
    <message>
        <source>Pages that are done</source>
        <translation>Pages traitées</translation>
    </message>
    <message>
        <source>Following: page %1 of %2</source>
        <translation>Suivi : page %1 sur %2</translation>
    </message>
    <message>
        <source>This page first</source>
        <translation>D&apos;abord cette page</translation>
    </message>
    <message>
        <source>Pages of the series</source>
        <translation>Pages de la série</translation>
    </message>
    <message>
        <source>Pages that the contours were followed over, with the pixels inside; choose one to turn to it</source>
        <translation>Pages sur lesquelles les contours ont été suivis, avec les pixels intérieurs ; en choisir une pour y aller</translation>
    </message>
    <message>
        <source>Page %1</source>
        <translation>Page %1</translation>
    </message>
    <message>
        <source>%1 contours on %2 pages</source>
        <translation>%1 contours sur %2 pages</translation>
    </message>
    <message>
        <source>Pages through which the contours have gone</source>
        <translation>Pages déjà parcourues par les contours</translation>
    </message>
    <message>
        <source>Time %1</source>
        <translation>Temps %1</translation>
    </message>
    <message>
        <source>%1 px</source>
        <translation>%1 px</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1 : %2</translation>
    </message>
    <message>
        <source>Chart over the pages</source>
        <translation>Graphique selon les pages</translation>
    </message>
    <message>
        <source>Show how area, length and mean of the contours change over the pages</source>
        <translation>Montrer comment l&apos;aire, la longueur et la moyenne des contours changent selon les pages</translation>
    </message>
</context>
<context>
    <name>pollard::app::ForbiddenControls</name>
    <message>
        <source>&amp;Forbid</source>
        <translation>In&amp;terdire</translation>
    </message>
    <message>
        <source>Paint the forbidden area</source>
        <translation>Peindre la zone interdite</translation>
    </message>
    <message>
        <source>Paint pixels that no contour may contain; Shift erases, Esc ends</source>
        <translation>Peindre des pixels qu&apos;aucun contour ne peut contenir ; Maj efface, Échap termine</translation>
    </message>
    <message>
        <source>Erase the forbidden area</source>
        <translation>Effacer la zone interdite</translation>
    </message>
    <message>
        <source>The brush erases; Shift paints</source>
        <translation>Le pinceau efface ; Maj peint</translation>
    </message>
    <message>
        <source> px</source>
        <translation> px</translation>
    </message>
    <message>
        <source>Size of the brush</source>
        <translation>Taille du pinceau</translation>
    </message>
    <message>
        <source>Diameter of the brush, px of the image</source>
        <translation>Diamètre du pinceau, px de l&apos;image</translation>
    </message>
    <message>
        <source>More for the forbidden area</source>
        <translation>Autres actions sur la zone interdite</translation>
    </message>
    <message>
        <source>Take the forbidden area from an image or from the selection, or clear it</source>
        <translation>Prendre la zone interdite d&apos;une image ou de la sélection, ou l&apos;effacer</translation>
    </message>
    <message>
        <source>From a mask &amp;image…</source>
        <translation>D&apos;après une &amp;image de masque…</translation>
    </message>
    <message>
        <source>All pixels that are not 0 in an image as large as this one</source>
        <translation>Tous les pixels non nuls d&apos;une image aussi grande que celle-ci</translation>
    </message>
    <message>
        <source>From the &amp;selection</source>
        <translation>D&apos;après la &amp;sélection</translation>
    </message>
    <message>
        <source>The pixels of all selected components</source>
        <translation>Les pixels de toutes les composantes sélectionnées</translation>
    </message>
    <message>
        <source>&amp;Clear</source>
        <translation>&amp;Effacer</translation>
    </message>
    <message>
        <source>Forbid nothing</source>
        <translation>Ne rien interdire</translation>
    </message>
</context>
<context>
    <name>pollard::app::GlSurface</name>
    <message>
        <source>The graphics driver refuses an OpenGL context.</source>
        <translation>Le pilote graphique refuse un contexte OpenGL.</translation>
    </message>
    <message>
        <source>The graphics driver refuses a framebuffer of %1 x %2 px.</source>
        <translation>Le pilote graphique refuse un tampon d’image de %1 x %2 px.</translation>
    </message>
</context>
<context>
    <name>pollard::app::HelpBrowser</name>
    <message>
        <source>&amp;Back</source>
        <translation>&amp;Retour</translation>
    </message>
    <message>
        <source>Pollard help</source>
        <translation>Aide de Pollard</translation>
    </message>
    <message>
        <source>Search the help</source>
        <translation>Chercher dans l&apos;aide</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Rechercher</translation>
    </message>
    <message>
        <source>Finds sections that contain all of these words</source>
        <translation>Trouve les sections qui contiennent tous ces mots</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>Pages</translation>
    </message>
    <message>
        <source>Pages, or the sections found</source>
        <translation>Pages, ou sections trouvées</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Retour</translation>
    </message>
    <message>
        <source>The previous page</source>
        <translation>La page précédente</translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation>Rien trouvé</translation>
    </message>
</context>
<context>
    <name>pollard::app::HelpPageView</name>
    <message>
        <source>Page</source>
        <translation>Page</translation>
    </message>
    <message>
        <source>Tab goes from link to link, Return follows one</source>
        <translation>Tab va de lien en lien, Entrée en suit un</translation>
    </message>
</context>
<context>
    <name>pollard::app::HistogramView</name>
    <message>
        <source>Histogram of grey levels</source>
        <translation>Histogramme des niveaux de gris</translation>
    </message>
    <message>
        <source>Left and right move the lower edge of the window, with Shift the upper one; the numbers below hold the same values.</source>
        <translation>Gauche et Droite déplacent le bord inférieur de la fenêtre, avec Maj le supérieur ; les nombres au-dessous ont les mêmes valeurs.</translation>
    </message>
    <message>
        <source>Grey levels with the tone curve. Drag an edge of the window, or the range between the edges; double-click sets it automatically.</source>
        <translation>Niveaux de gris avec la courbe de tons. Glissez un bord de la fenêtre, ou l&apos;intervalle entre les bords ; un double-clic la règle automatiquement.</translation>
    </message>
</context>
<context>
    <name>pollard::app::IcicleLegend</name>
    <message>
        <source>Colours: %1 from %2 to %3</source>
        <translation>Couleurs : %1 de %2 à %3</translation>
    </message>
</context>
<context>
    <name>pollard::app::IciclePanel</name>
    <message>
        <source>Lo&amp;g</source>
        <translation>Lo&amp;g</translation>
    </message>
    <message>
        <source>&amp;Removed</source>
        <translation>&amp;Retirées</translation>
    </message>
    <message>
        <source>Nodes and links</source>
        <translation>Nœuds et liens</translation>
    </message>
    <message>
        <source>Draw subtrees of at most %1 components as nodes and links; open a component to see its subtree</source>
        <translation>Dessiner les sous-arbres d&apos;au plus %1 composantes en nœuds et liens ; ouvrez une composante pour voir son sous-arbre</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Retour</translation>
    </message>
    <message>
        <source>Back to the previous view (Backspace)</source>
        <translation>Revenir à la vue précédente (Retour arrière)</translation>
    </message>
    <message>
        <source>Whole tree</source>
        <translation>Arbre entier</translation>
    </message>
    <message>
        <source>Show the whole tree (Home)</source>
        <translation>Montrer l&apos;arbre entier (Début)</translation>
    </message>
    <message>
        <source>Where in the tree</source>
        <translation>Où dans l&apos;arbre</translation>
    </message>
    <message>
        <source>Path of opened components; click one to go back to it</source>
        <translation>Chemin des composantes ouvertes ; cliquez-en une pour y revenir</translation>
    </message>
    <message>
        <source>&amp;Colour</source>
        <translation>&amp;Couleur</translation>
    </message>
    <message>
        <source>Attribute that colours the boxes</source>
        <translation>Attribut qui colore les boîtes</translation>
    </message>
    <message>
        <source>Logarithmic colours</source>
        <translation>Couleurs logarithmiques</translation>
    </message>
    <message>
        <source>Equal ratios are equal steps of colour, where no value is below 0</source>
        <translation>Des rapports égaux sont des pas de couleur égaux, si aucune valeur n&apos;est inférieure à 0</translation>
    </message>
    <message>
        <source>Removed components in grey</source>
        <translation>Composantes retirées en gris</translation>
    </message>
    <message>
        <source>Components that the filter removes are pale grey</source>
        <translation>Les composantes que le filtre retire sont gris pâle</translation>
    </message>
    <message>
        <source>Grey levels</source>
        <translation>Niveaux de gris</translation>
    </message>
    <message>
        <source>Equal steps</source>
        <translation>Pas égaux</translation>
    </message>
    <message>
        <source>Height of the boxes</source>
        <translation>Hauteur des boîtes</translation>
    </message>
    <message>
        <source>Height of the boxes: grey levels from the parent&apos;s level to the component&apos;s own, or equal steps, which show the depth in the tree</source>
        <translation>Hauteur des boîtes : niveaux de gris du niveau du parent à celui de la composante, ou pas égaux, qui montrent la profondeur dans l&apos;arbre</translation>
    </message>
    <message>
        <source>&amp;Height</source>
        <translation>&amp;Hauteur</translation>
    </message>
</context>
<context>
    <name>pollard::app::IcicleView</name>
    <message>
        <source>Tree of components</source>
        <translation>Arbre des composantes</translation>
    </message>
    <message>
        <source>Every component is a box as wide as its area, from its parent&apos;s level to its own; its children are below it. Wheel: zoom (Ctrl or Shift: levels); drag: move; click: hold; double click or Return: open a component; Backspace: back; Home: all; arrows: parent, first child, siblings; Esc: release</source>
        <translation>Chaque composante est une boîte large comme son aire, du niveau de son parent au sien ; ses enfants sont au-dessous. Molette : zoomer (Ctrl ou Maj : niveaux) ; glisser : déplacer ; clic : retenir ; double-clic ou Entrée : ouvrir une composante ; Retour arrière : revenir ; Début : tout ; flèches : parent, premier enfant, frères ; Échap : lâcher</translation>
    </message>
    <message>
        <source>Laying the tree out …</source>
        <translation>Disposition de l&apos;arbre…</translation>
    </message>
    <message>
        <source>%1 %</source>
        <comment>share of the area</comment>
        <translation>%1 %</translation>
    </message>
</context>
<context>
    <name>pollard::app::ImageArea</name>
    <message>
        <source>Residue</source>
        <translation>Résidu</translation>
    </message>
    <message>
        <source>Mask</source>
        <translation>Masque</translation>
    </message>
    <message>
        <source>Labels</source>
        <translation>Étiquettes</translation>
    </message>
    <message>
        <source>Filtered</source>
        <translation>Filtrée</translation>
    </message>
    <message>
        <source>|Filtered − original|, 0 to %1</source>
        <translation>|Filtrée − originale|, 0 à %1</translation>
    </message>
    <message>
        <source>Filtered − original, ±%1</source>
        <translation>Filtrée − originale, ±%1</translation>
    </message>
    <message>
        <source>Original</source>
        <translation>Originale</translation>
    </message>
    <message>
        <source>The image cannot be shown</source>
        <translation>L&apos;image ne peut pas être montrée</translation>
    </message>
    <message>
        <source>Filtering and saving are possible.</source>
        <translation>Filtrer et enregistrer restent possibles.</translation>
    </message>
    <message>
        <source>Image that is being opened</source>
        <translation>Image en cours d&apos;ouverture</translation>
    </message>
    <message>
        <source>Its tree is being built</source>
        <translation>Son arbre est en construction</translation>
    </message>
    <message>
        <source>Original, level %1</source>
        <translation>Original, niveau %1</translation>
    </message>
    <message>
        <source>%1, preview</source>
        <translation>%1, aperçu</translation>
    </message>
</context>
<context>
    <name>pollard::app::ImageBar</name>
    <message>
        <source>Close</source>
        <translation>Fermer</translation>
    </message>
    <message>
        <source>Filter of another image</source>
        <translation>Filtre d&apos;une autre image</translation>
    </message>
    <message>
        <source>&amp;Keep</source>
        <translation>&amp;Garder</translation>
    </message>
    <message>
        <source>Keep the filter</source>
        <translation>Garder le filtre</translation>
    </message>
    <message>
        <source>Keep the filter for this image and the next ones</source>
        <translation>Garder le filtre pour cette image et les suivantes</translation>
    </message>
    <message>
        <source>Clea&amp;r</source>
        <translation>&amp;Retirer</translation>
    </message>
    <message>
        <source>Clear the filter</source>
        <translation>Retirer le filtre</translation>
    </message>
    <message>
        <source>Show the image as it is in the file; Undo brings the filter back</source>
        <translation>Montrer l&apos;image telle qu&apos;elle est dans le fichier ; Annuler rétablit le filtre</translation>
    </message>
    <message>
        <source>Result without contents</source>
        <translation>Résultat sans contenu</translation>
    </message>
    <message>
        <source>Show &amp;all again</source>
        <translation>&amp;Tout montrer à nouveau</translation>
    </message>
    <message>
        <source>Show all again</source>
        <translation>Tout montrer à nouveau</translation>
    </message>
    <message>
        <source>Clear the filter and show the whole image; Undo brings the filter back</source>
        <translation>Retirer le filtre et montrer toute l&apos;image ; Annuler rétablit le filtre</translation>
    </message>
    <message>
        <source>&amp;Turn off</source>
        <translation>&amp;Désactiver</translation>
    </message>
    <message>
        <source>Turn the criterion off</source>
        <translation>Désactiver le critère</translation>
    </message>
    <message>
        <source>Turn off the criterion that removes most, and keep the others</source>
        <translation>Désactiver le critère qui retire le plus, et garder les autres</translation>
    </message>
    <message>
        <source>Close this line until the filter or the image changes</source>
        <translation>Fermer cette ligne jusqu&apos;à ce que le filtre ou l&apos;image change</translation>
    </message>
    <message>
        <source>Filter the &amp;whole image…</source>
        <translation>Filtrer l&apos;imag&amp;e entière…</translation>
    </message>
    <message>
        <source>Filter the whole image</source>
        <translation>Filtrer l&apos;image entière</translation>
    </message>
    <message>
        <source>Close this line until another image or part is opened</source>
        <translation>Fermer cette ligne jusqu&apos;à l&apos;ouverture d&apos;une autre image ou partie</translation>
    </message>
    <message>
        <source>Part or smaller version of an image</source>
        <translation>Partie ou version réduite d&apos;une image</translation>
    </message>
    <message>
        <source>Filter the &amp;visible region</source>
        <translation>Filtrer la région &amp;visible</translation>
    </message>
    <message>
        <source>Filter the visible region exactly</source>
        <translation>Filtrer exactement la région visible</translation>
    </message>
    <message>
        <source>&amp;Back to the overview</source>
        <translation>Revenir à la vue d&apos;ensem&amp;ble</translation>
    </message>
    <message>
        <source>Back to the overview</source>
        <translation>Revenir à la vue d&apos;ensemble</translation>
    </message>
    <message>
        <source>&amp;Other…</source>
        <translation>A&amp;utre…</translation>
    </message>
    <message>
        <source>Other level or part</source>
        <translation>Autre niveau ou partie</translation>
    </message>
    <message>
        <source>A part of the image at full resolution</source>
        <translation>Une partie de l&apos;image en pleine résolution</translation>
    </message>
    <message>
        <source>Close this line and leave the filter as it is</source>
        <translation>Fermer cette ligne et laisser le filtre tel qu&apos;il est</translation>
    </message>
</context>
<context>
    <name>pollard::app::ImagePanel</name>
    <message>
        <source>%1 bit</source>
        <translation>%1 bits</translation>
    </message>
    <message>
        <source>%1 × %2 px</source>
        <translation>%1 × %2 px</translation>
    </message>
    <message>
        <source>%1 (%2 MP)</source>
        <translation>%1 (%2 MP)</translation>
    </message>
    <message>
        <source>was mirrored</source>
        <translation>était en miroir</translation>
    </message>
    <message>
        <source>was upside down</source>
        <translation>était à l&apos;envers</translation>
    </message>
    <message>
        <source>was mirrored upside down</source>
        <translation>était en miroir à l&apos;envers</translation>
    </message>
    <message>
        <source>was transposed</source>
        <translation>était transposée</translation>
    </message>
    <message>
        <source>was turned left</source>
        <translation>était tournée à gauche</translation>
    </message>
    <message>
        <source>was transposed the other way</source>
        <translation>était transposée dans l&apos;autre sens</translation>
    </message>
    <message>
        <source>was turned right</source>
        <translation>était tournée à droite</translation>
    </message>
    <message>
        <source>Printed pixel</source>
        <translation>Pixel imprimé</translation>
    </message>
    <message>
        <source>Orientation</source>
        <translation>Orientation</translation>
    </message>
    <message>
        <source>Without data</source>
        <translation>Sans données</translation>
    </message>
    <message>
        <source>%1 px (%2 %)</source>
        <translation>%1 px (%2 %)</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Taille</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>Format</translation>
    </message>
    <message>
        <source>Depth</source>
        <translation>Profondeur</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>Nœuds</translation>
    </message>
    <message>
        <source>Leaves</source>
        <translation>Feuilles</translation>
    </message>
    <message>
        <source>Tree depth</source>
        <translation>Profondeur de l&apos;arbre</translation>
    </message>
    <message>
        <source>Built in</source>
        <translation>Construit en</translation>
    </message>
    <message>
        <source>Components of the tree</source>
        <translation>Composantes de l&apos;arbre</translation>
    </message>
    <message>
        <source>Components without a component inside: peaks of a max-tree, pits of a min-tree</source>
        <translation>Composantes sans composante à l&apos;intérieur : sommets d&apos;un max-tree, creux d&apos;un min-tree</translation>
    </message>
    <message>
        <source>Largest number of steps from the root to a node</source>
        <translation>Plus grand nombre de pas de la racine à un nœud</translation>
    </message>
    <message>
        <source>Channel</source>
        <translation>Canal</translation>
    </message>
    <message>
        <source>Resolution</source>
        <translation>Résolution</translation>
    </message>
    <message>
        <source>The file holds the image in several sizes</source>
        <translation>Le fichier contient l&apos;image en plusieurs tailles</translation>
    </message>
    <message>
        <source>Every pixel</source>
        <translation>Chaque pixel</translation>
    </message>
    <message>
        <source>Shrunk by %1</source>
        <translation>Réduit par %1</translation>
    </message>
    <message>
        <source>Pixels read</source>
        <translation>Pixels lus</translation>
    </message>
    <message>
        <source>Shrunk: blocks of pixels become their mean, to save memory</source>
        <translation>Réduit : des blocs de pixels deviennent leur moyenne, pour épargner la mémoire</translation>
    </message>
    <message>
        <source>Read</source>
        <translation>Lu</translation>
    </message>
    <message>
        <source>Open the whole page</source>
        <translation>Ouvrir toute la page</translation>
    </message>
    <message>
        <source>Only a part of the page is open</source>
        <translation>Seule une partie de la page est ouverte</translation>
    </message>
    <message>
        <source>Part</source>
        <translation>Partie</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>de %1 à %2</translation>
    </message>
    <message>
        <source>Only a part of the page is open: %1</source>
        <translation>Seule une partie de la page est ouverte : %1</translation>
    </message>
    <message>
        <source>Time to build the tree with %1</source>
        <translation>Temps de construction de l&apos;arbre avec %1</translation>
    </message>
    <message>
        <source>Compute a channel</source>
        <translation>Calculer un canal</translation>
    </message>
    <message>
        <source>Expression of the file&apos;s channels, by name or number from 0:</source>
        <translation>Expression des canaux du fichier, par nom ou par numéro à partir de 0 :</translation>
    </message>
    <message>
        <source>Grey value of a pixel of several channels; luminance = 0.2126 R + 0.7152 G + 0.0722 B. Stains and indices are computed</source>
        <translation>Valeur de gris d’un pixel à plusieurs canaux ; luminance = 0,2126 R + 0,7152 V + 0,0722 B. Les colorants et les indices sont calculés</translation>
    </message>
    <message>
        <source>Expression…</source>
        <translation>Expression…</translation>
    </message>
    <message>
        <source>Pick stains on the image…</source>
        <translation>Prélever les colorations sur l&apos;image…</translation>
    </message>
    <message>
        <source>%1 × %2 × %3 voxels (%4 million)</source>
        <translation>%1 × %2 × %3 voxels (%4 millions)</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>Valeurs</translation>
    </message>
</context>
<context>
    <name>pollard::app::InspectorPanel</name>
    <message>
        <source>Parent</source>
        <translation>Parent</translation>
    </message>
    <message>
        <source>The component around this one (Up in the image)</source>
        <translation>La composante qui entoure celle-ci (Haut dans l&apos;image)</translation>
    </message>
    <message>
        <source>Child</source>
        <translation>Enfant</translation>
    </message>
    <message>
        <source>A component within this one (Down in the image)</source>
        <translation>Une composante dans celle-ci (Bas dans l&apos;image)</translation>
    </message>
    <message>
        <source>Previous sibling</source>
        <translation>Frère précédent</translation>
    </message>
    <message>
        <source>The previous component within the same parent (Left in the image)</source>
        <translation>La composante avant celle-ci dans le même parent (Gauche dans l&apos;image)</translation>
    </message>
    <message>
        <source>Next sibling</source>
        <translation>Frère suivant</translation>
    </message>
    <message>
        <source>The next component within the same parent (Right in the image)</source>
        <translation>La composante suivante dans le même parent (Droite dans l&apos;image)</translation>
    </message>
    <message>
        <source>Add to the selection</source>
        <translation>Ajouter à la sélection</translation>
    </message>
    <message>
        <source>Add this component to the selection, or remove it</source>
        <translation>Ajouter cette composante à la sélection, ou l&apos;en ôter</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Retirer</translation>
    </message>
    <message>
        <source>Remove this component from the image with all in it</source>
        <translation>Ôter cette composante de l&apos;image avec tout ce qu&apos;elle contient</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Garder</translation>
    </message>
    <message>
        <source>Keep this component in the image, even if it does not meet the criteria</source>
        <translation>Garder cette composante dans l&apos;image, même si elle ne remplit pas les critères</translation>
    </message>
    <message>
        <source>Refine with a contour</source>
        <translation>Affiner par un contour</translation>
    </message>
    <message>
        <source>Let a contour (region snake) start at the outline of this component</source>
        <translation>Faire partir un contour (serpent de régions) du bord de cette composante</translation>
    </message>
    <message>
        <source>Save as a mask</source>
        <translation>Enregistrer en masque</translation>
    </message>
    <message>
        <source>Write a TIFF that is 255 in this component and 0 elsewhere</source>
        <translation>Écrire un TIFF qui vaut 255 dans cette composante et 0 ailleurs</translation>
    </message>
    <message>
        <source>Point at the image, or click to pin a pixel.</source>
        <translation>Pointez l&apos;image, ou cliquez pour fixer un pixel.</translation>
    </message>
    <message>
        <source>Attributes of the component</source>
        <translation>Attributs de la composante</translation>
    </message>
    <message>
        <source>Keep only this</source>
        <translation>Ne garder que celle-ci</translation>
    </message>
    <message>
        <source>Remove everything outside this component from the image</source>
        <translation>Ôter de l&apos;image tout ce qui est hors de cette composante</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>Mesurer</translation>
    </message>
    <message>
        <source>Measure all attributes of this component, and open all groups</source>
        <translation>Mesurer tous les attributs de cette composante, et ouvrir tous les groupes</translation>
    </message>
    <message>
        <source>Start in the middle</source>
        <translation>Commencer au milieu</translation>
    </message>
    <message>
        <source>Hold the component at the middle of the view</source>
        <translation>Fixer la composante au milieu de la vue</translation>
    </message>
</context>
<context>
    <name>pollard::app::LabBeside</name>
    <message>
        <source>%1 / %2: %3</source>
        <translation>%1 / %2 : %3</translation>
    </message>
</context>
<context>
    <name>pollard::app::LabCode</name>
    <message>
        <source>Pseudo-code</source>
        <translation>Pseudo-code</translation>
    </message>
    <message>
        <source>The algorithm in words; the current line is highlighted</source>
        <translation>L&apos;algorithme en mots ; la ligne en cours est mise en évidence</translation>
    </message>
</context>
<context>
    <name>pollard::app::LabImageControls</name>
    <message>
        <source>Width</source>
        <translation>Largeur</translation>
    </message>
    <message>
        <source>Width of the image, px</source>
        <translation>Largeur de l&apos;image, px</translation>
    </message>
    <message>
        <source>Height</source>
        <translation>Hauteur</translation>
    </message>
    <message>
        <source>Height of the image, px</source>
        <translation>Hauteur de l&apos;image, px</translation>
    </message>
    <message>
        <source>Crop of the image</source>
        <translation>Extrait de l&apos;image</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Annuler</translation>
    </message>
    <message>
        <source>Image</source>
        <translation>Image</translation>
    </message>
    <message>
        <source>Examples</source>
        <translation>Exemples</translation>
    </message>
    <message>
        <source>Example</source>
        <translation>Exemple</translation>
    </message>
    <message>
        <source>Instructive images</source>
        <translation>Images instructives</translation>
    </message>
    <message>
        <source>Level of the brush</source>
        <translation>Niveau du pinceau</translation>
    </message>
    <message>
        <source>The grey level that the mouse paints; right-click takes it from a pixel</source>
        <translation>Le niveau de gris que peint la souris ; un clic droit le prend d&apos;un pixel</translation>
    </message>
    <message>
        <source>Brush level</source>
        <translation>Niveau du pinceau</translation>
    </message>
    <message>
        <source>Take the pixels in the middle of the view of the open image</source>
        <translation>Prendre les pixels du milieu de la vue de l&apos;image ouverte</translation>
    </message>
    <message>
        <source>Undo the last change of the image (Ctrl+Z)</source>
        <translation>Annuler le dernier changement de l&apos;image (Ctrl+Z)</translation>
    </message>
</context>
<context>
    <name>pollard::app::LabOptions</name>
    <message>
        <source>Algorithm</source>
        <translation>Algorithme</translation>
    </message>
    <message>
        <source>Algorithm to play step by step</source>
        <translation>Algorithme à jouer étape par étape</translation>
    </message>
    <message>
        <source>Tree</source>
        <translation>Arbre</translation>
    </message>
    <message>
        <source>Bright components (max-tree) or dark ones (min-tree)</source>
        <translation>Composantes claires (max-tree) ou sombres (min-tree)</translation>
    </message>
    <message>
        <source>Max-tree</source>
        <translation>Max-tree</translation>
    </message>
    <message>
        <source>Min-tree</source>
        <translation>Min-tree</translation>
    </message>
    <message>
        <source>Neighbours</source>
        <translation>Voisins</translation>
    </message>
    <message>
        <source>Pixels are joined across their sides, or across their corners as well</source>
        <translation>Les pixels sont reliés par leurs côtés, ou aussi par leurs coins</translation>
    </message>
    <message>
        <source>4</source>
        <translation>4</translation>
    </message>
    <message>
        <source>8</source>
        <translation>8</translation>
    </message>
    <message>
        <source>Tiles</source>
        <translation>Tuiles</translation>
    </message>
    <message>
        <source>Side of the tiles, px</source>
        <translation>Côté des tuiles, px</translation>
    </message>
    <message>
        <source>%1 x %1 px</source>
        <translation>%1 × %1 px</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>Fils</translation>
    </message>
    <message>
        <source>Number of virtual threads</source>
        <translation>Nombre de fils virtuels</translation>
    </message>
    <message>
        <source>Turns</source>
        <translation>Tours</translation>
    </message>
    <message>
        <source>Order of the threads&apos; turns</source>
        <translation>Ordre des tours des fils</translation>
    </message>
    <message>
        <source>In order</source>
        <translation>Dans l&apos;ordre</translation>
    </message>
    <message>
        <source>At random</source>
        <translation>Au hasard</translation>
    </message>
    <message>
        <source>By hand</source>
        <translation>À la main</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Graine</translation>
    </message>
    <message>
        <source>The same number draws the same turns again</source>
        <translation>Le même nombre tire à nouveau les mêmes tours</translation>
    </message>
    <message>
        <source>Thread %1</source>
        <translation>Fil %1</translation>
    </message>
    <message>
        <source>Let thread %1 do its next operation</source>
        <translation>Laisser le fil %1 faire son opération suivante</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Annuler</translation>
    </message>
    <message>
        <source>Undo the last turn</source>
        <translation>Annuler le dernier tour</translation>
    </message>
    <message>
        <source>Attribute</source>
        <translation>Attribut</translation>
    </message>
    <message>
        <source>Attribute that the filter measures</source>
        <translation>Attribut que mesure le filtre</translation>
    </message>
    <message>
        <source>At least</source>
        <translation>Au moins</translation>
    </message>
    <message>
        <source>Components whose attribute is less do not meet the criterion</source>
        <translation>Les composantes dont l&apos;attribut est moindre ne satisfont pas le critère</translation>
    </message>
    <message>
        <source>Threshold</source>
        <translation>Seuil</translation>
    </message>
    <message>
        <source>Objects are pixels of at least this level</source>
        <translation>Les objets sont les pixels d&apos;au moins ce niveau</translation>
    </message>
    <message>
        <source>Compare with…</source>
        <translation>Comparer à…</translation>
    </message>
    <message>
        <source>Compare with</source>
        <translation>Comparer à</translation>
    </message>
    <message>
        <source>Show another algorithm on the same image beside the first, at the same share of its steps; the first entry shows none</source>
        <translation>Montrer un autre algorithme sur la même image à côté du premier, à la même fraction de ses étapes ; la première entrée n&apos;en montre aucun</translation>
    </message>
</context>
<context>
    <name>pollard::app::LabPlayerPanel</name>
    <message>
        <source>Guess first</source>
        <translation>Deviner d&apos;abord</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Garder</translation>
    </message>
    <message>
        <source>The filter keeps the node</source>
        <translation>Le filtre garde le nœud</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Retirer</translation>
    </message>
    <message>
        <source>The filter removes the node</source>
        <translation>Le filtre retire le nœud</translation>
    </message>
    <message>
        <source>A question before steps that are worth guessing: which pixel becomes the parent, which nodes are kept</source>
        <translation>Une question avant les étapes qui valent d&apos;être devinées : quel pixel devient le parent, quels nœuds sont gardés</translation>
    </message>
    <message>
        <source>Step %1 of %2</source>
        <translation>Étape %1 sur %2</translation>
    </message>
</context>
<context>
    <name>pollard::app::LabSceneList</name>
    <message>
        <source>Scenes</source>
        <translation>Scènes</translation>
    </message>
    <message>
        <source>The prepared scenes; Page Down moves to the next one when a scene has ended, Ctrl+Page Down at once</source>
        <translation>Les scènes préparées ; Page suivante passe à la suivante quand une scène est finie, Ctrl+Page suivante tout de suite</translation>
    </message>
</context>
<context>
    <name>pollard::app::LabTransport</name>
    <message>
        <source>First step</source>
        <translation>Première étape</translation>
    </message>
    <message>
        <source>Before the first step (Home)</source>
        <translation>Avant la première étape (Début)</translation>
    </message>
    <message>
        <source>One step back</source>
        <translation>Une étape en arrière</translation>
    </message>
    <message>
        <source>Go back one step (Page Up)</source>
        <translation>Revenir d&apos;une étape (Page précédente)</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>Lecture</translation>
    </message>
    <message>
        <source>Play the steps (Space)</source>
        <translation>Jouer les étapes (Espace)</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pause</translation>
    </message>
    <message>
        <source>Pause (Space)</source>
        <translation>Pause (Espace)</translation>
    </message>
    <message>
        <source>One step on</source>
        <translation>Une étape en avant</translation>
    </message>
    <message>
        <source>Do the next step (Page Down)</source>
        <translation>Faire l&apos;étape suivante (Page suivante)</translation>
    </message>
    <message>
        <source>Last step</source>
        <translation>Dernière étape</translation>
    </message>
    <message>
        <source>The end of the algorithm (End)</source>
        <translation>La fin de l&apos;algorithme (Fin)</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Étapes</translation>
    </message>
    <message>
        <source>All steps of the algorithm; drag to see any step</source>
        <translation>Toutes les étapes de l&apos;algorithme ; faites glisser pour voir l&apos;une d&apos;elles</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>Vitesse</translation>
    </message>
    <message>
        <source>Steps in a second</source>
        <translation>Étapes par seconde</translation>
    </message>
    <message>
        <source>%1 / s</source>
        <translation>%1 / s</translation>
    </message>
</context>
<context>
    <name>pollard::app::LabView</name>
    <message>
        <source>The parent of each pixel: an arrow to it, a ring for a root. Arrow keys move the cursor</source>
        <translation>Le parent de chaque pixel : une flèche vers lui, un anneau pour une racine. Les flèches du clavier déplacent le curseur</translation>
    </message>
    <message>
        <source>The filtered image. Arrow keys move the cursor</source>
        <translation>L&apos;image filtrée. Les flèches déplacent le curseur</translation>
    </message>
    <message>
        <source>The tree of the image: a node for each component with its level and size. Links appear as the algorithm makes them; dashed ones may change. Arrow keys go to the parent, the first child and siblings</source>
        <translation>L&apos;arbre de l&apos;image : un nœud par composante avec son niveau et sa taille. Les liens apparaissent quand l&apos;algorithme les fait ; ceux en tirets peuvent changer. Les flèches mènent au parent, au premier enfant et aux frères</translation>
    </message>
    <message>
        <source>The table of the algorithm; values written by the last step are marked</source>
        <translation>Le tableau de l&apos;algorithme ; les valeurs écrites par la dernière étape sont marquées</translation>
    </message>
    <message>
        <source>The machine words of the algorithm, the leftmost pixel first</source>
        <translation>Les mots machine de l&apos;algorithme, le pixel de gauche d&apos;abord</translation>
    </message>
    <message>
        <source>The image. Drag to paint with the level of the brush, right-click to take a level. Arrow keys move the cursor; digits, + and - change the level there; Return paints</source>
        <translation>L&apos;image. Faites glisser pour peindre avec le niveau du pinceau, clic droit pour prendre un niveau. Les flèches déplacent le curseur ; les chiffres, + et - y changent le niveau ; Entrée peint</translation>
    </message>
</context>
<context>
    <name>pollard::app::LabWindow</name>
    <message>
        <source>Grid lab — Pollard</source>
        <translation>Labo de la grille — Pollard</translation>
    </message>
    <message>
        <source>As indices</source>
        <translation>En indices</translation>
    </message>
    <message>
        <source>Write the parent of each pixel into its cell instead of an arrow</source>
        <translation>Écrire le parent de chaque pixel dans sa case au lieu d&apos;une flèche</translation>
    </message>
    <message>
        <source>Pseudo-code</source>
        <translation>Pseudo-code</translation>
    </message>
    <message>
        <source>&amp;Lab</source>
        <translation>&amp;Labo</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Annuler</translation>
    </message>
    <message>
        <source>Undo the last change of the image</source>
        <translation>Annuler le dernier changement de l&apos;image</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>&amp;Fermer</translation>
    </message>
    <message>
        <source>Close the grid lab</source>
        <translation>Fermer le labo de la grille</translation>
    </message>
    <message>
        <source>&amp;Demonstration</source>
        <translation>&amp;Démonstration</translation>
    </message>
    <message>
        <source>&amp;Full screen with scenes</source>
        <translation>&amp;Plein écran avec scènes</translation>
    </message>
    <message>
        <source>Large type and prepared scenes; Page Down steps forward, Page Up back, with Ctrl to the next and the previous scene; Esc ends it</source>
        <translation>Grands caractères et scènes préparées ; Page suivante avance d&apos;un pas, Page précédente recule, avec Ctrl vers la scène suivante ou précédente ; Échap y met fin</translation>
    </message>
    <message>
        <source>&amp;Open scenes…</source>
        <translation>&amp;Ouvrir des scènes…</translation>
    </message>
    <message>
        <source>Read prepared scenes from a JSON file</source>
        <translation>Lire des scènes préparées dans un fichier JSON</translation>
    </message>
    <message>
        <source>Open scenes</source>
        <translation>Ouvrir des scènes</translation>
    </message>
    <message>
        <source>Scenes (*.json);;All files (*)</source>
        <translation>Scènes (*.json);;Tous les fichiers (*)</translation>
    </message>
    <message>
        <source>The scenes were not opened</source>
        <translation>Les scènes n&apos;ont pas été ouvertes</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Aide</translation>
    </message>
    <message>
        <source>How to use the grid lab</source>
        <translation>Comment se servir du labo de la grille</translation>
    </message>
    <message>
        <source>Copy as &amp;scene</source>
        <translation>Copier comme &amp;scène</translation>
    </message>
    <message>
        <source>This state as JSON on the clipboard, for a file of scenes</source>
        <translation>Cet état en JSON dans le presse-papiers, pour un fichier de scènes</translation>
    </message>
    <message>
        <source>The scene is on the clipboard</source>
        <translation>La scène est dans le presse-papiers</translation>
    </message>
</context>
<context>
    <name>pollard::app::LabelControls</name>
    <message>
        <source>Brush</source>
        <translation>Pinceau</translation>
    </message>
    <message>
        <source>Paint pixels of the object where the stroke begins, or a new object (B). Shift paints over other objects, too</source>
        <translation>Peindre des pixels de l’objet où commence le trait, ou un nouvel objet (B). Maj peint aussi sur les autres objets</translation>
    </message>
    <message>
        <source>Eraser</source>
        <translation>Gomme</translation>
    </message>
    <message>
        <source>Erase pixels of objects (E)</source>
        <translation>Effacer des pixels d’objets (E)</translation>
    </message>
    <message>
        <source>Fill a hole</source>
        <translation>Remplir un trou</translation>
    </message>
    <message>
        <source>Click into a hole of an object to fill it (F)</source>
        <translation>Cliquer dans un trou d’un objet pour le remplir (F)</translation>
    </message>
    <message>
        <source>Polygon</source>
        <translation>Polygone</translation>
    </message>
    <message>
        <source>Click the corners of a new object; a double click or Return ends it (P)</source>
        <translation>Cliquer les sommets d’un nouvel objet ; un double clic ou Entrée le termine (P)</translation>
    </message>
    <message>
        <source>Join objects</source>
        <translation>Réunir des objets</translation>
    </message>
    <message>
        <source>Draw from one object to others to join them with it (J)</source>
        <translation>Tracer d’un objet à d’autres pour les réunir avec lui (J)</translation>
    </message>
    <message>
        <source>Cut an object</source>
        <translation>Couper un objet</translation>
    </message>
    <message>
        <source>Draw a line across an object to divide it (C)</source>
        <translation>Tracer une ligne à travers un objet pour le diviser (C)</translation>
    </message>
    <message>
        <source>Take a component</source>
        <translation>Prendre une composante</translation>
    </message>
    <message>
        <source>Click, grow and shrink the component by the wheel or the arrows up and down, and take it as an object by Return (T)</source>
        <translation>Cliquer, agrandir et réduire la composante avec la molette ou les flèches haut et bas, et la prendre comme objet avec Entrée (T)</translation>
    </message>
    <message>
        <source>Diameter of brush and eraser</source>
        <translation>Diamètre du pinceau et de la gomme</translation>
    </message>
    <message>
        <source>Diameter of brush and eraser ([ and ] on the image)</source>
        <translation>Diamètre du pinceau et de la gomme ([ et ] sur l’image)</translation>
    </message>
    <message>
        <source> px</source>
        <translation> px</translation>
    </message>
    <message>
        <source>Ball</source>
        <translation>Boule</translation>
    </message>
    <message>
        <source>Paint a ball in all slices, with the sides of voxels; else a disc in the slice</source>
        <translation>Peindre une boule dans toutes les coupes, avec les côtés des voxels ; sinon un disque dans la coupe</translation>
    </message>
    <message>
        <source>Find again</source>
        <translation>Chercher à nouveau</translation>
    </message>
    <message>
        <source>Leave the edits and find the objects by their settings; undo brings the edits back</source>
        <translation>Abandonner les modifications et chercher les objets selon leurs réglages ; annuler rétablit les modifications</translation>
    </message>
    <message>
        <source>Edited by hand. Settings that find objects have an effect after Find again.</source>
        <translation>Modifiés à la main. Les réglages de la recherche agissent après Chercher à nouveau.</translation>
    </message>
    <message>
        <source>Number of the selected object</source>
        <translation>Numéro de l&apos;objet choisi</translation>
    </message>
    <message>
        <source>Number of the selected object in the table and in files; type another one</source>
        <translation>Numéro de l&apos;objet choisi dans la table et dans les fichiers ; tapez-en un autre</translation>
    </message>
    <message>
        <source>No. </source>
        <translation>N° </translation>
    </message>
    <message>
        <source>Join the objects</source>
        <translation>Réunir les objets</translation>
    </message>
    <message>
        <source>Make the selected object a part of the object that has this number</source>
        <translation>Faire de l&apos;objet choisi une partie de l&apos;objet qui a ce numéro</translation>
    </message>
    <message>
        <source>Class of the selected objects</source>
        <translation>Classe des objets choisis</translation>
    </message>
    <message>
        <source>Put the selected objects into a class by hand; they keep it whatever the conditions of the classes are</source>
        <translation>Mettre les objets choisis dans une classe à la main ; ils la gardent quelles que soient les conditions des classes</translation>
    </message>
    <message>
        <source>Join with %1</source>
        <translation>Réunir avec %1</translation>
    </message>
    <message>
        <source>Class by condition</source>
        <translation>Classe selon les conditions</translation>
    </message>
    <message>
        <source>New class</source>
        <translation>Nouvelle classe</translation>
    </message>
</context>
<context>
    <name>pollard::app::LawThumbnails</name>
    <message>
        <source>%1, chosen by the noise</source>
        <translation>%1, choisie d&apos;après le bruit</translation>
    </message>
    <message>
        <source>The results of the other laws appear after the last state</source>
        <translation>Les résultats des autres lois apparaissent après le dernier état</translation>
    </message>
    <message>
        <source>Trying the other laws…</source>
        <translation>Essai des autres lois…</translation>
    </message>
    <message>
        <source>Results of the laws; the noise fits %1</source>
        <translation>Résultats des lois ; le bruit correspond à : %1</translation>
    </message>
    <message>
        <source>%1 px</source>
        <translation>%1 px</translation>
    </message>
    <message>
        <source>%1: area %2, energy %3</source>
        <translation>%1 : aire %2, énergie %3</translation>
    </message>
    <message>
        <source>Click to continue with these contours. Energies of different laws do not compare</source>
        <translation>Cliquez pour continuer avec ces contours. Les énergies de lois différentes ne se comparent pas</translation>
    </message>
    <message>
        <source>%1
The law that fits the growth of the noise with the level
%2</source>
        <translation>%1
La loi qui correspond à la croissance du bruit avec le niveau
%2</translation>
    </message>
    <message>
        <source>%1
%2</source>
        <translation>%1
%2</translation>
    </message>
</context>
<context>
    <name>pollard::app::LearnControls</name>
    <message>
        <source>Learn from the picks</source>
        <translation>Apprendre des désignations</translation>
    </message>
    <message>
        <source>Learn criteria from the picks</source>
        <translation>Apprendre des critères à partir des désignations</translation>
    </message>
    <message>
        <source>Find the fewest criteria that keep the components kept by hand and remove those removed by hand</source>
        <translation>Trouver le moins de critères possible qui gardent les composantes gardées à la main et retirent celles retirées à la main</translation>
    </message>
    <message>
        <source>Use as criteria</source>
        <translation>Utiliser comme critères</translation>
    </message>
    <message>
        <source>Make this the filter, in place of its criteria and of the picks</source>
        <translation>En faire le filtre, à la place de ses critères et des désignations</translation>
    </message>
    <message>
        <source>Next unsure component</source>
        <translation>Composante incertaine suivante</translation>
    </message>
    <message>
        <source>Show a component next to a bound; its answer tells the most</source>
        <translation>Montrer une composante proche d&apos;une borne ; sa réponse en dit le plus</translation>
    </message>
    <message>
        <source>&amp;Next unsure</source>
        <translation>In&amp;certaine suivante</translation>
    </message>
    <message>
        <source>Keep the component in question</source>
        <translation>Garder la composante en question</translation>
    </message>
    <message>
        <source>Keep it by hand and show the next one</source>
        <translation>La garder à la main et montrer la suivante</translation>
    </message>
    <message>
        <source>&amp;Keep it</source>
        <translation>La &amp;garder</translation>
    </message>
    <message>
        <source>Remove the component in question</source>
        <translation>Retirer la composante en question</translation>
    </message>
    <message>
        <source>Remove it by hand and show the next one</source>
        <translation>La retirer à la main et montrer la suivante</translation>
    </message>
    <message>
        <source>Re&amp;move it</source>
        <translation>La re&amp;tirer</translation>
    </message>
    <message>
        <source>By a forest</source>
        <translation>Par une forêt</translation>
    </message>
    <message>
        <source>Learn a forest from the picks</source>
        <translation>Apprendre une forêt des désignations</translation>
    </message>
    <message>
        <source>Learn 64 decision trees: they also separate components that no three criteria separate, but are harder to read</source>
        <translation>Apprendre 64 arbres de décision : ils séparent aussi des composantes que trois critères ne séparent pas, mais sont plus difficiles à lire</translation>
    </message>
    <message>
        <source>Remove the forest</source>
        <translation>Retirer la forêt</translation>
    </message>
    <message>
        <source>Decide by the criteria of the filter alone</source>
        <translation>Décider par les seuls critères du filtre</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>Retirer %1</translation>
    </message>
</context>
<context>
    <name>pollard::app::MainToolBar</name>
    <message>
        <source>Tools</source>
        <translation>Outils</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Ouvrir</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Enregistrer</translation>
    </message>
    <message>
        <source>Max</source>
        <translation>Max</translation>
    </message>
    <message>
        <source>Min</source>
        <translation>Min</translation>
    </message>
    <message>
        <source>Live</source>
        <translation>Direct</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>Appliquer</translation>
    </message>
    <message>
        <source>Engine: automatic</source>
        <translation>Moteur : automatique</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>Moteur</translation>
    </message>
    <message>
        <source>Engine of all computations</source>
        <translation>Moteur de tous les calculs</translation>
    </message>
    <message>
        <source>Engine at work: %1 (%2)</source>
        <translation>Moteur au travail : %1 (%2)</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>Automatique</translation>
    </message>
</context>
<context>
    <name>pollard::app::MainWindow</name>
    <message>
        <source>View copied</source>
        <translation>Vue copiée</translation>
    </message>
    <message>
        <source>The filter cannot be followed by another</source>
        <translation>Aucun autre filtre ne peut suivre celui-ci</translation>
    </message>
    <message>
        <source>See the volume in space: projections and volume rendering</source>
        <translation>Voir le volume dans l&apos;espace : projections et rendu volumique</translation>
    </message>
    <message>
        <source>The finer levels of the image were not read</source>
        <translation>Les niveaux plus fins de l&apos;image n&apos;ont pas été lus</translation>
    </message>
    <message>
        <source>Drop %1 to open it</source>
        <translation>Déposez %1 pour l&apos;ouvrir</translation>
    </message>
    <message>
        <source>See the volume from the side, too: the sections %1 and %2</source>
        <translation>Voir aussi le volume de côté : les coupes %1 et %2</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>Ouvrir un dossier</translation>
    </message>
    <message>
        <source>The workspace Volume at the left shows a volume from three sides and in space</source>
        <translation>L’espace de travail Volume, à gauche, montre un volume de trois côtés et dans l’espace</translation>
    </message>
    <message>
        <source>The image has the focus: after a pause, letters are commands</source>
        <translation>L&apos;image a le focus : après une pause, les lettres sont des commandes</translation>
    </message>
    <message>
        <source>Image</source>
        <translation>Image</translation>
    </message>
    <message>
        <source>Positions in the stack</source>
        <translation>Positions dans la pile</translation>
    </message>
    <message>
        <source>Only files and folders of this computer can be dropped here</source>
        <translation>Seuls des fichiers et dossiers de cet ordinateur peuvent être déposés ici</translation>
    </message>
    <message>
        <source>Drop %1 files to choose one</source>
        <translation>Déposez %1 fichiers pour en choisir un</translation>
    </message>
</context>
<context>
    <name>pollard::app::MeasureButton</name>
    <message>
        <source>All channels</source>
        <translation>Tous les canaux</translation>
    </message>
    <message>
        <source>Pairs (Pearson, Manders)</source>
        <translation>Paires (Pearson, Manders)</translation>
    </message>
    <message>
        <source>Channels in which objects are measured</source>
        <translation>Canaux dans lesquels les objets sont mesurés</translation>
    </message>
    <message>
        <source>Grey values of this channel only, or also mean, sum, lowest and highest value, standard deviation and median of chosen channels of the image. Those are columns of the table such as mean[DAPI], which conditions and charts can use, too.</source>
        <translation>Niveaux de gris de ce canal seulement, ou aussi moyenne, somme, valeurs minimale et maximale, écart type et médiane des canaux choisis de l’image. Ce sont des colonnes du tableau comme mean[DAPI], utilisables aussi dans les conditions et les graphiques.</translation>
    </message>
    <message>
        <source>Measure the objects in every channel of the image</source>
        <translation>Mesurer les objets dans chaque canal de l’image</translation>
    </message>
    <message>
        <source>Single channels</source>
        <translation>Canaux isolés</translation>
    </message>
    <message>
        <source>Channels in which the objects are measured</source>
        <translation>Canaux dans lesquels les objets sont mesurés</translation>
    </message>
    <message>
        <source>Pairs of channels</source>
        <translation>Paires de canaux</translation>
    </message>
    <message>
        <source>Compare these channels in pairs, pixel by pixel: Pearson&apos;s correlation, and Manders&apos; shares of one channel where the other is above 0</source>
        <translation>Comparer ces canaux deux à deux, pixel par pixel : corrélation de Pearson, et parts de Manders d’un canal là où l’autre dépasse 0</translation>
    </message>
    <message>
        <source>None</source>
        <translation>Aucun</translation>
    </message>
    <message>
        <source> px</source>
        <translation> px</translation>
    </message>
    <message>
        <source>Width of the background ring</source>
        <translation>Largeur de l’anneau de fond</translation>
    </message>
    <message>
        <source>Also measure the mean of the background within this many columns and rows of each object, without pixels of other objects</source>
        <translation>Mesurer aussi la moyenne du fond à ce nombre de colonnes et de lignes de chaque objet, sans les pixels d’autres objets</translation>
    </message>
    <message>
        <source>Ring</source>
        <translation>Anneau</translation>
    </message>
    <message>
        <source>Count objects of another channel</source>
        <translation>Compter les objets d’un autre canal</translation>
    </message>
    <message>
        <source>Count in each object the objects of another channel, for instance spots in nuclei: a column such as count[RFP]. An object counts in the object that has most of its pixels</source>
        <translation>Compter dans chaque objet les objets d’un autre canal, par exemple des taches dans des noyaux : une colonne comme count[RFP]. Un objet compte dans l’objet qui a la plupart de ses pixels</translation>
    </message>
    <message>
        <source>Otsu</source>
        <translation>Otsu</translation>
    </message>
    <message>
        <source>Lowest value of the counted objects</source>
        <translation>Plus petite valeur des objets comptés</translation>
    </message>
    <message>
        <source>Pixels of that channel with this value or more form the counted objects; if empty, Otsu&apos;s method finds the threshold</source>
        <translation>Les pixels de ce canal de cette valeur ou plus forment les objets comptés ; sans valeur, la méthode d’Otsu trouve le seuil</translation>
    </message>
    <message>
        <source>Count in them</source>
        <translation>Y compter</translation>
    </message>
    <message>
        <source>from value</source>
        <translation>à partir de</translation>
    </message>
</context>
<context>
    <name>pollard::app::MemoryDialog</name>
    <message>
        <source>, %1 on the GPU</source>
        <translation>, %1 sur le GPU</translation>
    </message>
    <message>
        <source>Large image</source>
        <translation>Grande image</translation>
    </message>
    <message>
        <source>%1 may need more than half of the memory that is free</source>
        <translation>%1 peut demander plus de la moitié de la mémoire libre</translation>
    </message>
    <message>
        <source>Open the whole image: %1</source>
        <translation>L&apos;ouvrir en entier : %1</translation>
    </message>
    <message>
        <source>Open the whole image with the CPU engine</source>
        <translation>L&apos;ouvrir en entier avec le moteur CPU</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Ouvrir</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Fichier</translation>
    </message>
    <message>
        <source>Decoded</source>
        <translation>Décodée</translation>
    </message>
    <message>
        <source>all samples of the page</source>
        <translation>tous les échantillons de la page</translation>
    </message>
    <message>
        <source>Images</source>
        <translation>Images</translation>
    </message>
    <message>
        <source>original and filtered</source>
        <translation>originale et filtrée</translation>
    </message>
    <message>
        <source>Tree, at most</source>
        <translation>Arbre, au plus</translation>
    </message>
    <message>
        <source>less than half for most photographs</source>
        <translation>moins de la moitié pour la plupart des photographies</translation>
    </message>
    <message>
        <source>Together</source>
        <translation>Ensemble</translation>
    </message>
    <message>
        <source>of %1 free</source>
        <translation>sur %1 libres</translation>
    </message>
    <message>
        <source>On the GPU</source>
        <translation>Sur le GPU</translation>
    </message>
    <message>
        <source>of %1</source>
        <translation>sur %1</translation>
    </message>
    <message>
        <source>Open resolution level %1 of the file</source>
        <translation>Ouvrir le niveau de résolution %1 du fichier</translation>
    </message>
    <message>
        <source>Shrink by %1</source>
        <translation>Réduire par %1</translation>
    </message>
    <message>
        <source>%1 (still much)</source>
        <translation>%1 (encore beaucoup)</translation>
    </message>
    <message>
        <source>Open a part</source>
        <translation>Ouvrir une partie</translation>
    </message>
    <message>
        <source>Left edge, px</source>
        <translation>Bord gauche, px</translation>
    </message>
    <message>
        <source>x </source>
        <translation>x </translation>
    </message>
    <message>
        <source>Upper edge, px</source>
        <translation>Bord supérieur, px</translation>
    </message>
    <message>
        <source>y </source>
        <translation>y </translation>
    </message>
    <message>
        <source>Width, px</source>
        <translation>Largeur, px</translation>
    </message>
    <message>
        <source>width </source>
        <translation>largeur </translation>
    </message>
    <message>
        <source>Height, px</source>
        <translation>Hauteur, px</translation>
    </message>
    <message>
        <source>height </source>
        <translation>hauteur </translation>
    </message>
    <message>
        <source>Even the smallest part does not fit: it %1. Close other programs or images, or use a computer with more memory.</source>
        <translation>Même la plus petite partie ne tient pas : elle %1. Fermez d&apos;autres programmes ou images, ou utilisez un ordinateur avec plus de mémoire.</translation>
    </message>
    <message>
        <source>needs at least %1 of %2 free</source>
        <translation>demande au moins %1 sur %2 libres</translation>
    </message>
    <message>
        <source>needs %1 of %2 on the GPU</source>
        <translation>demande %1 sur %2 du GPU</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1 : %2</translation>
    </message>
    <message>
        <source>%1 (may not fit)</source>
        <translation>%1 (pourrait ne pas tenir)</translation>
    </message>
    <message>
        <source>Open a part: %1</source>
        <translation>Ouvrir une partie : %1</translation>
    </message>
    <message>
        <source>%1 × %2 × %3 voxels</source>
        <translation>%1 × %2 × %3 voxels</translation>
    </message>
    <message>
        <source>%1 × %2 px</source>
        <translation>%1 × %2 px</translation>
    </message>
    <message>
        <source>%1, up to %2</source>
        <translation>%1, jusqu&apos;à %2</translation>
    </message>
    <message>
        <source>Open the slices as pages, one at a time: %1</source>
        <translation>Ouvrir les coupes comme des pages, une à la fois : %1</translation>
    </message>
</context>
<context>
    <name>pollard::app::MoreOptions</name>
    <message>
        <source>More</source>
        <translation>Plus</translation>
    </message>
    <message>
        <source>More options</source>
        <translation>Autres options</translation>
    </message>
    <message>
        <source>Show or hide options that are seldom changed</source>
        <translation>Afficher ou masquer les options rarement modifiées</translation>
    </message>
</context>
<context>
    <name>pollard::app::NamedWindowsMenu</name>
    <message>
        <source>&amp;Named windows</source>
        <translation>Fe&amp;nêtres nommées</translation>
    </message>
    <message>
        <source>Black and white at %1</source>
        <translation>Noir et blanc à %1</translation>
    </message>
    <message>
        <source>zscale</source>
        <translation>zscale</translation>
    </message>
    <message>
        <source>Black and white around the median, as viewers for astronomy choose them</source>
        <translation>Noir et blanc autour de la médiane, comme les choisissent les visionneuses d’astronomie</translation>
    </message>
</context>
<context>
    <name>pollard::app::NodeLinkView</name>
    <message>
        <source>Tree as nodes and links</source>
        <translation>Arbre en nœuds et liens</translation>
    </message>
    <message>
        <source>Every component is a node at its level, linked to its parent above. Click: hold; double click or Return: open a component; Backspace: back; arrows: parent, first child, siblings; Esc: release</source>
        <translation>Chaque composante est un nœud à son niveau, lié à son parent au-dessus. Clic : retenir ; double-clic ou Entrée : ouvrir une composante ; Retour arrière : revenir ; flèches : parent, premier enfant, frères ; Échap : lâcher</translation>
    </message>
</context>
<context>
    <name>pollard::app::ObjectChartView</name>
    <message>
        <source>Chart of the objects</source>
        <translation>Graphique des objets</translation>
    </message>
    <message>
        <source>Click a point or a bar to select its objects; drag over a part to select all in it</source>
        <translation>Cliquez un point ou une barre pour sélectionner ses objets ; glissez sur une partie pour sélectionner tous ceux qui y sont</translation>
    </message>
    <message>
        <source>%1 objects</source>
        <translation>%1 objets</translation>
    </message>
    <message>
        <source>No objects to chart</source>
        <translation>Pas d&apos;objets à représenter</translation>
    </message>
    <message>
        <source>Objects</source>
        <translation>Objets</translation>
    </message>
</context>
<context>
    <name>pollard::app::ObjectsChartPanel</name>
    <message>
        <source>Lo&amp;g</source>
        <translation>Lo&amp;g</translation>
    </message>
    <message>
        <source>Logarithmic axes</source>
        <translation>Axes logarithmiques</translation>
    </message>
    <message>
        <source>Equal ratios are equally long, where all values are above 0</source>
        <translation>Des rapports égaux ont des longueurs égales, si toutes les valeurs sont au-dessus de 0</translation>
    </message>
    <message>
        <source>Histogram</source>
        <translation>Histogramme</translation>
    </message>
    <message>
        <source>by</source>
        <translation>selon</translation>
    </message>
    <message>
        <source>Feature of the x axis</source>
        <translation>Caractéristique de l&apos;axe x</translation>
    </message>
    <message>
        <source>Feature that is shown from left to right</source>
        <translation>Caractéristique représentée de gauche à droite</translation>
    </message>
    <message>
        <source>Feature of the y axis</source>
        <translation>Caractéristique de l&apos;axe y</translation>
    </message>
    <message>
        <source>Feature that is shown upwards, or the number of objects</source>
        <translation>Caractéristique représentée vers le haut, ou le nombre d&apos;objets</translation>
    </message>
</context>
<context>
    <name>pollard::app::ObjectsControls</name>
    <message>
        <source>&amp;Dark</source>
        <translation>Sombr&amp;es</translation>
    </message>
    <message>
        <source>&amp;Threshold</source>
        <translation>&amp;Seuil</translation>
    </message>
    <message>
        <source>to</source>
        <translation>à</translation>
    </message>
    <message>
        <source>&amp;Opacity</source>
        <translation>&amp;Opacité</translation>
    </message>
    <message>
        <source>Original</source>
        <translation>Originale</translation>
    </message>
    <message>
        <source>Image in which objects are found</source>
        <translation>Image dans laquelle les objets sont cherchés</translation>
    </message>
    <message>
        <source>By hand</source>
        <translation>À la main</translation>
    </message>
    <message>
        <source>The levels below</source>
        <translation>Les niveaux ci-dessous</translation>
    </message>
    <message>
        <source>Otsu</source>
        <translation>Otsu</translation>
    </message>
    <message>
        <source>Separates the means of both classes best (Otsu 1979)</source>
        <translation>Sépare au mieux les moyennes des deux classes (Otsu 1979)</translation>
    </message>
    <message>
        <source>Otsu of roots</source>
        <translation>Otsu des racines</translation>
    </message>
    <message>
        <source>Otsu&apos;s threshold of the square roots of the values: for dim objects beside bright ones</source>
        <translation>Le seuil d’Otsu des racines carrées des valeurs : pour des objets faibles à côté d’objets clairs</translation>
    </message>
    <message>
        <source>Triangle</source>
        <translation>Triangle</translation>
    </message>
    <message>
        <source>The corner of the histogram: for few objects on much background (Zack 1977)</source>
        <translation>Le coin de l&apos;histogramme : pour peu d&apos;objets sur beaucoup de fond (Zack 1977)</translation>
    </message>
    <message>
        <source>Li</source>
        <translation>Li</translation>
    </message>
    <message>
        <source>Smallest cross entropy (Li and Tam 1998)</source>
        <translation>Plus petite entropie croisée (Li et Tam 1998)</translation>
    </message>
    <message>
        <source>Method of the threshold</source>
        <translation>Méthode du seuil</translation>
    </message>
    <message>
        <source>Method that finds the threshold between background and objects</source>
        <translation>Méthode qui trouve le seuil entre le fond et les objets</translation>
    </message>
    <message>
        <source>Dark objects</source>
        <translation>Objets sombres</translation>
    </message>
    <message>
        <source>Objects are darker than the threshold that the method finds</source>
        <translation>Les objets sont plus sombres que le seuil que la méthode trouve</translation>
    </message>
    <message>
        <source>Neighbours of a pixel</source>
        <translation>Voisins d&apos;un pixel</translation>
    </message>
    <message>
        <source>Neighbours that belong to one object</source>
        <translation>Voisins qui appartiennent à un même objet</translation>
    </message>
    <message>
        <source>Opacity of the colours</source>
        <translation>Opacité des couleurs</translation>
    </message>
    <message>
        <source>Opacity of the objects&apos; colours in the image</source>
        <translation>Opacité des couleurs des objets dans l&apos;image</translation>
    </message>
    <message>
        <source>Values of objects. Moving them sets the threshold by hand.</source>
        <translation>Valeurs des objets. Les déplacer règle le seuil à la main.</translation>
    </message>
    <message>
        <source>Lowest value of objects</source>
        <translation>Plus petite valeur des objets</translation>
    </message>
    <message>
        <source>Highest value of objects</source>
        <translation>Plus grande valeur des objets</translation>
    </message>
    <message>
        <source>Without those at the &amp;border</source>
        <translation>Sans ceux au &amp;bord</translation>
    </message>
    <message>
        <source>Result (as shown)</source>
        <translation>Résultat (affiché)</translation>
    </message>
    <message>
        <source>Image that is thresholded: the result of the filter with any output (filtered image, residue, mask), or the image as it was read. A residue makes a local threshold. Grey values of the objects always come from the original.</source>
        <translation>Image qui est seuillée : le résultat du filtre avec toute sortie (image filtrée, résidu, masque), ou l&apos;image telle qu&apos;elle a été lue. Un résidu donne un seuil local. Les niveaux de gris des objets sont toujours ceux de l&apos;original.</translation>
    </message>
    <message>
        <source>Values are the numbers of the kept components.</source>
        <translation>Les valeurs sont les numéros des composantes gardées.</translation>
    </message>
    <message>
        <source>Values of labels</source>
        <translation>Valeurs des étiquettes</translation>
    </message>
    <message>
        <source>The output of the filter is labels: the threshold applies to the numbers of components, and components that touch become one object. The output mask makes objects of kept components.</source>
        <translation>La sortie du filtre est « étiquettes » : le seuil porte sur les numéros des composantes, et celles qui se touchent deviennent un seul objet. La sortie « masque » fait des objets des composantes gardées.</translation>
    </message>
    <message>
        <source>Fill holes</source>
        <translation>Remplir les trous</translation>
    </message>
    <message>
        <source>Fill the holes of the foreground before objects are found. A component of the background that touches the border of the image, pixels outside the region or pixels without data is no hole.</source>
        <translation>Remplir les trous de l&apos;avant-plan avant la recherche des objets. Une composante du fond qui touche le bord de l&apos;image, des pixels hors de la région ou des pixels sans données n&apos;est pas un trou.</translation>
    </message>
    <message>
        <source>Without those at the border</source>
        <translation>Sans ceux au bord</translation>
    </message>
    <message>
        <source>Objects with a pixel in the first or last row or column of the image are not listed, coloured or written. Objects at the edge of the region stay.</source>
        <translation>Les objets qui ont un pixel dans la première ou la dernière ligne ou colonne de l&apos;image ne sont ni listés, ni colorés, ni écrits. Ceux au bord de la région restent.</translation>
    </message>
    <message>
        <source>Fill &amp;holes</source>
        <translation>&amp;Remplir les trous</translation>
    </message>
    <message>
        <source>&amp;Split</source>
        <translation>D&amp;iviser</translation>
    </message>
    <message>
        <source>No</source>
        <translation>Non</translation>
    </message>
    <message>
        <source>By shape</source>
        <translation>Par la forme</translation>
    </message>
    <message>
        <source>By brightness</source>
        <translation>Par la luminosité</translation>
    </message>
    <message>
        <source>Splitting of objects that touch</source>
        <translation>Division des objets qui se touchent</translation>
    </message>
    <message>
        <source>Lines of a watershed split objects that touch: by shape at necks, by brightness between brighter (of dark objects: darker) parts. The pixels of the lines belong to no object.</source>
        <translation>Les lignes d&apos;un partage des eaux divisent les objets qui se touchent : par la forme aux étranglements, par la luminosité entre les parties plus claires (des objets sombres : plus sombres). Les pixels des lignes n&apos;appartiennent à aucun objet.</translation>
    </message>
    <message>
        <source>Strength of splitting</source>
        <translation>Force de la division</translation>
    </message>
    <message>
        <source>Largest width of a neck in percent of the width of the narrower part; by brightness, the largest brightness between two parts in percent of the less bright one, above the darkest pixel of the object</source>
        <translation>Plus grande largeur d&apos;un étranglement, en pour cent de celle de la partie la plus étroite ; par la luminosité, la plus grande luminosité entre deux parties, en pour cent de celle de la moins claire, au-dessus du pixel le plus sombre de l&apos;objet</translation>
    </message>
    <message>
        <source>O&amp;f</source>
        <translation>&amp;De</translation>
    </message>
    <message>
        <source>&amp;Measure in</source>
        <translation>&amp;Mesurer dans</translation>
    </message>
    <message>
        <source>Lowest value that belongs to an object</source>
        <translation>Plus petite valeur qui appartient à un objet</translation>
    </message>
    <message>
        <source>Highest value that belongs to an object</source>
        <translation>Plus grande valeur qui appartient à un objet</translation>
    </message>
    <message>
        <source>Va&amp;lues</source>
        <translation>Va&amp;leurs</translation>
    </message>
    <message>
        <source>Border along &amp;z, too</source>
        <translation>Bord en &amp;z aussi</translation>
    </message>
    <message>
        <source>Outl&amp;ines</source>
        <translation>Contours</translation>
    </message>
    <message>
        <source>Border along z, too</source>
        <translation>Bord en z aussi</translation>
    </message>
    <message>
        <source>Also leave out the objects with a voxel in the first or last slice of the volume</source>
        <translation>Omettre aussi les objets ayant un voxel dans la première ou la dernière coupe du volume</translation>
    </message>
    <message>
        <source>Outlines only</source>
        <translation>Contours seuls</translation>
    </message>
    <message>
        <source>Colour the outlines of objects only, so that the image or its channels can be seen in them</source>
        <translation>Colorer seulement les contours des objets, pour que l’image ou ses canaux s’y voient</translation>
    </message>
    <message>
        <source>Grey values are measured in the original.</source>
        <translation>Les niveaux de gris sont mesurés dans l’original.</translation>
    </message>
    <message>
        <source>Image that is measured</source>
        <translation>Image mesurée</translation>
    </message>
    <message>
        <source>Mean, lowest and highest grey value and the channels of objects are measured in the image as it was read, not in the result in which objects are found.</source>
        <translation>Le niveau de gris moyen, le plus petit et le plus grand et les canaux des objets sont ceux de l’image lue, non du résultat où les objets sont trouvés.</translation>
    </message>
    <message>
        <source>Above background</source>
        <translation>Au-dessus du fond</translation>
    </message>
    <message>
        <source>Brighter than the surroundings by some sigma, for sources in the sky (SExtractor)</source>
        <translation>Plus clair que les alentours de quelques sigmas, pour les sources du ciel (SExtractor)</translation>
    </message>
    <message>
        <source>Sigma above the background</source>
        <translation>Sigmas au-dessus du fond</translation>
    </message>
    <message>
        <source>Objects differ from the local background by more than this multiple of its spread</source>
        <translation>Les objets s’écartent du fond local de plus de ce multiple de sa dispersion</translation>
    </message>
    <message>
        <source>Box of the background</source>
        <translation>Boîte du fond</translation>
    </message>
    <message>
        <source>Side of the boxes in which the background is measured: larger than the objects</source>
        <translation>Côté des boîtes dans lesquelles le fond est mesuré : plus grandes que les objets</translation>
    </message>
    <message>
        <source>box</source>
        <translation>boîte</translation>
    </message>
    <message>
        <source>The local background is measured in images, not in volumes</source>
        <translation>Le fond local se mesure dans les images, pas dans les volumes</translation>
    </message>
    <message>
        <source>Fi&amp;nd</source>
        <translation>&amp;Chercher</translation>
    </message>
    <message>
        <source>Neighbo&amp;urs</source>
        <translation>&amp;Voisins</translation>
    </message>
    <message>
        <source>Threshold</source>
        <translation>Seuil</translation>
    </message>
    <message>
        <source>Connected pixels with values of a range</source>
        <translation>Pixels connexes dont les valeurs sont dans un intervalle</translation>
    </message>
    <message>
        <source>Best components</source>
        <translation>Meilleures composantes</translation>
    </message>
    <message>
        <source>Round or oval objects, without a threshold, separate if they touch</source>
        <translation>Objets ronds ou ovales, sans seuil, séparés s’ils se touchent</translation>
    </message>
    <message>
        <source>Watershed</source>
        <translation>Partage des eaux</translation>
    </message>
    <message>
        <source>Regions of a watershed within a threshold</source>
        <translation>Régions d’un partage des eaux dans un seuil</translation>
    </message>
    <message>
        <source>Regions of a hierarchy</source>
        <translation>Régions d’une hiérarchie</translation>
    </message>
    <message>
        <source>The whole image divided into regions, as many as a slider leaves</source>
        <translation>Toute l’image divisée en régions, autant qu’un curseur en laisse</translation>
    </message>
    <message>
        <source>Way to find objects</source>
        <translation>Façon de trouver les objets</translation>
    </message>
    <message>
        <source>How objects are found in the image</source>
        <translation>Comment les objets sont trouvés dans l’image</translation>
    </message>
    <message>
        <source>Labels of a file</source>
        <translation>Étiquettes d&apos;un fichier</translation>
    </message>
    <message>
        <source>Objects that another program or a person has drawn</source>
        <translation>Objets qu&apos;un autre programme ou une personne a dessinés</translation>
    </message>
</context>
<context>
    <name>pollard::app::ObjectsPanel</name>
    <message>
        <source>Chart</source>
        <translation>Graphique</translation>
    </message>
    <message>
        <source>Condition for the rows</source>
        <translation>Condition des lignes</translation>
    </message>
    <message>
        <source>Delete the selected objects</source>
        <translation>Supprimer les objets sélectionnés</translation>
    </message>
    <message>
        <source>Delete the selected objects from table, image and files (Del)</source>
        <translation>Supprimer les objets sélectionnés du tableau, de l&apos;image et des fichiers (Suppr)</translation>
    </message>
    <message>
        <source>Keep only the selected objects</source>
        <translation>Ne garder que les objets sélectionnés</translation>
    </message>
    <message>
        <source>Keep only the selected objects and delete the others of the table</source>
        <translation>Ne garder que les objets sélectionnés et supprimer les autres du tableau</translation>
    </message>
    <message>
        <source>Refine with a contour</source>
        <translation>Affiner par un contour</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>Colonnes</translation>
    </message>
    <message>
        <source>Features shown in the table</source>
        <translation>Grandeurs montrées dans le tableau</translation>
    </message>
    <message>
        <source>Save the objects</source>
        <translation>Enregistrer les objets</translation>
    </message>
    <message>
        <source>Write the objects of the table into a file</source>
        <translation>Écrire les objets du tableau dans un fichier</translation>
    </message>
    <message>
        <source>&amp;Table (CSV)…</source>
        <translation>&amp;Tableau (CSV)…</translation>
    </message>
    <message>
        <source>All features of every row, in px</source>
        <translation>Toutes les grandeurs de chaque ligne, en px</translation>
    </message>
    <message>
        <source>&amp;Label image (TIFF)…</source>
        <translation>&amp;Image d&apos;étiquettes (TIFF)…</translation>
    </message>
    <message>
        <source>The numbers of the objects, 16 or 32 bits a pixel</source>
        <translation>Les numéros des objets, 16 ou 32 bits par pixel</translation>
    </message>
    <message>
        <source>&amp;Outlines (GeoJSON)…</source>
        <translation>C&amp;ontours (GeoJSON)…</translation>
    </message>
    <message>
        <source>&amp;Regions (ImageJ)…</source>
        <translation>&amp;Régions (ImageJ)…</translation>
    </message>
    <message>
        <source>A zip for ImageJ&apos;s ROI manager</source>
        <translation>Un zip pour le gestionnaire de ROI d&apos;ImageJ</translation>
    </message>
    <message>
        <source>There are no objects: %1.
Set the levels by hand.</source>
        <translation>Il n&apos;y a pas d&apos;objets : %1.
Réglez les niveaux à la main.</translation>
    </message>
    <message>
        <source>Finding objects…</source>
        <translation>Recherche des objets…</translation>
    </message>
    <message>
        <source>No pixel has a level from %1 to %2.
Widen the levels, or let a method find the threshold.</source>
        <translation>Aucun pixel n&apos;a un niveau de %1 à %2.
Élargissez les niveaux, ou laissez une méthode trouver le seuil.</translation>
    </message>
    <message>
        <source>All objects are deleted. Undo brings them back.</source>
        <translation>Tous les objets sont supprimés. Annuler les rétablit.</translation>
    </message>
    <message>
        <source>None of the %1 objects meets the condition.</source>
        <translation>Aucun des %1 objets ne remplit la condition.</translation>
    </message>
    <message>
        <source>Unit of lengths</source>
        <translation>Unité des longueurs</translation>
    </message>
    <message>
        <source>Tracks over the pages</source>
        <translation>Trajectoires au fil des pages</translation>
    </message>
    <message>
        <source>Follow the objects over the pages of a stack</source>
        <translation>Suivre les objets au fil des pages d&apos;une pile</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Annuler</translation>
    </message>
    <message>
        <source>Undo the last change, a deletion too (Ctrl+Z)</source>
        <translation>Annuler la dernière modification, une suppression aussi (Ctrl+Z)</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>Rétablir</translation>
    </message>
    <message>
        <source>Redo the change that was undone (Ctrl+Y)</source>
        <translation>Rétablir la modification annulée (Ctrl+Y)</translation>
    </message>
    <message>
        <source>Columns, rows, order and unit as they are shown</source>
        <translation>Colonnes, lignes, ordre et unité tels qu&apos;ils sont montrés</translation>
    </message>
    <message>
        <source>Table in &amp;pixels (CSV)…</source>
        <translation>Tableau en &amp;pixels (CSV)…</translation>
    </message>
    <message>
        <source>Lengths and areas in pixels, or in a unit of the scene. A condition keeps its meaning.</source>
        <translation>Longueurs et aires en pixels ou dans une unité de la scène. Une condition garde son sens.</translation>
    </message>
    <message>
        <source>&amp;How features are defined…</source>
        <translation>&amp;Comment les grandeurs sont définies…</translation>
    </message>
    <message>
        <source>All features with their formulas, and how ImageJ defines perimeter and circularity</source>
        <translation>Toutes les grandeurs avec leurs formules, et la définition du périmètre et de la circularité dans ImageJ</translation>
    </message>
    <message>
        <source>There is no result. Objects can be found in the original.</source>
        <translation>Il n&apos;y a pas de résultat. Des objets peuvent être cherchés dans l&apos;original.</translation>
    </message>
    <message>
        <source>All objects that meet the condition touch the border (%1).</source>
        <translation>Tous les objets qui remplissent la condition touchent le bord (%1).</translation>
    </message>
    <message>
        <source>Show a chart of the objects with the table</source>
        <translation>Montrer un graphique des objets avec le tableau</translation>
    </message>
    <message>
        <source>Show where, e.g. %1</source>
        <translation>Montrer si, p. ex. %1</translation>
    </message>
    <message>
        <source>Only objects that meet this are listed, coloured and written to files. Compare with &lt;, &lt;=, &gt;, &gt;=, ==, !=; join by &amp;&amp; and ||; calculate with + - * / and parentheses.
Names of features are completed while you type, and the arrow down lists all features. A length or an area may have a unit, as in %1; without one it is in the unit behind the field.</source>
        <translation>Seuls les objets qui la remplissent sont listés, colorés et enregistrés. Comparez avec &lt;, &lt;=, &gt;, &gt;=, ==, != ; joignez par &amp;&amp; et || ; calculez avec + - * / et des parenthèses.
Les noms des grandeurs sont complétés pendant la saisie, et la flèche vers le bas les montre tous. Une longueur ou une aire peut avoir une unité, comme dans %1 ; sans unité, c’est celle indiquée derrière le champ.</translation>
    </message>
    <message>
        <source>Find the threshold</source>
        <translation>Trouver le seuil</translation>
    </message>
    <message>
        <source>Let Otsu&apos;s method find the threshold between background and objects</source>
        <translation>Laisser la méthode d&apos;Otsu trouver le seuil entre le fond et les objets</translation>
    </message>
    <message>
        <source>Find in the original</source>
        <translation>Chercher dans l&apos;original</translation>
    </message>
    <message>
        <source>Find objects in the image as it was read</source>
        <translation>Trouver les objets dans l&apos;image telle qu&apos;elle a été lue</translation>
    </message>
    <message>
        <source>Show all objects</source>
        <translation>Montrer tous les objets</translation>
    </message>
    <message>
        <source>Clear the condition, and list objects at the border</source>
        <translation>Effacer la condition et montrer aussi les objets au bord</translation>
    </message>
    <message>
        <source>Classes</source>
        <translation>Classes</translation>
    </message>
    <message>
        <source>Sort the objects into classes with a colour each</source>
        <translation>Répartir les objets en classes, chacune avec sa couleur</translation>
    </message>
    <message>
        <source>Polygons along the edges of pixels, in longitude and latitude if the image has a map, with measures in the unit of the table; of a volume, those in each slice</source>
        <translation>Polygones le long des bords des pixels, en longitude et latitude si l&apos;image a une carte, avec les mesures dans l&apos;unité du tableau ; d&apos;un volume, ceux de chaque coupe</translation>
    </message>
    <message>
        <source>Outlines for &amp;maps (GeoPackage)…</source>
        <translation>Contours pour les c&amp;artes (GeoPackage)…</translation>
    </message>
    <message>
        <source>The same polygons in the coordinate system of the image; also FlatGeobuf and CSV with WKT</source>
        <translation>Les mêmes polygones dans le système de coordonnées de l’image ; aussi FlatGeobuf et CSV avec WKT</translation>
    </message>
    <message>
        <source>No pixel has a value from %1 to %2.
Widen the values, or let a method find the threshold.</source>
        <translation>Aucun pixel n&apos;a de valeur de %1 à %2.
Élargissez les valeurs, ou laissez une méthode trouver le seuil.</translation>
    </message>
    <message>
        <source>A volume has no place on a map</source>
        <translation>Un volume n’a pas de place sur une carte</translation>
    </message>
    <message>
        <source>&amp;Label volume (NIfTI, NRRD, MetaImage, TIFF)…</source>
        <translation>Vo&amp;lume d’étiquettes (NIfTI, NRRD, MetaImage, TIFF)…</translation>
    </message>
    <message>
        <source>Let contours (region snakes) start at the outlines of the selected objects</source>
        <translation>Faire partir des contours (serpents de région) des bords des objets sélectionnés</translation>
    </message>
    <message>
        <source>There are no objects: %1.</source>
        <translation>Il n’y a pas d’objets : %1.</translation>
    </message>
    <message>
        <source>No candidate fits an object.
Lower the strictness, or check the size.</source>
        <translation>Aucun candidat ne convient à un objet.
Baissez la rigueur ou vérifiez la taille.</translation>
    </message>
    <message>
        <source>There are no regions.</source>
        <translation>Il n’y a pas de régions.</translation>
    </message>
    <message>
        <source>The file has no labels here.</source>
        <translation>Le fichier n&apos;a pas d&apos;étiquettes ici.</translation>
    </message>
    <message>
        <source>Edit by hand</source>
        <translation>Modifier à la main</translation>
    </message>
    <message>
        <source>Edit the objects on the image by hand: brush, eraser, polygon, join, cut</source>
        <translation>Modifier les objets à la main sur l’image : pinceau, gomme, polygone, réunion, coupe</translation>
    </message>
    <message>
        <source>Score</source>
        <translation>Score</translation>
    </message>
    <message>
        <source>Compare the objects with the true ones of a file</source>
        <translation>Comparer les objets avec les vrais objets d’un fichier</translation>
    </message>
</context>
<context>
    <name>pollard::app::ObjectsTable</name>
    <message>
        <source>Objects</source>
        <translation>Objets</translation>
    </message>
    <message>
        <source>Click a row to see its object, with Ctrl or Shift for several; double-click brings it to the middle; Delete removes the selected objects</source>
        <translation>Cliquez une ligne pour voir son objet, avec Ctrl ou Maj plusieurs ; un double-clic l&apos;amène au milieu ; Suppr ôte les objets sélectionnés</translation>
    </message>
</context>
<context>
    <name>pollard::app::OpacityCurveView</name>
    <message>
        <source>Curve of opacity</source>
        <translation>Courbe d’opacité</translation>
    </message>
    <message>
        <source>Page up and page down choose the next and the previous point, arrow keys move it, Insert adds a point after it and Delete removes it.</source>
        <translation>Page précédente et Page suivante choisissent le point suivant et le précédent, les flèches le déplacent, Inser ajoute un point après lui et Suppr l’enlève.</translation>
    </message>
    <message>
        <source>Opacity of voxels by their value, over the histogram. Drag a point, click to add one, double-click a point to remove it.</source>
        <translation>Opacité des voxels selon leur valeur, sur l’histogramme. Faites glisser un point, cliquez pour en ajouter un, double-cliquez sur un point pour l’enlever.</translation>
    </message>
    <message>
        <source>Opacity by the window of the display.
Click to draw a curve.</source>
        <translation>Opacité selon la fenêtre d’affichage.
Cliquez pour dessiner une courbe.</translation>
    </message>
</context>
<context>
    <name>pollard::app::OperatorDialog</name>
    <message>
        <source>Operator</source>
        <translation>Opérateur</translation>
    </message>
    <message>
        <source>An operator makes an image from the result, as a step before the next filter. Pixels outside the region stay as they are.</source>
        <translation>Un opérateur fait une image du résultat, comme étape avant le filtre suivant. Les pixels hors de la région restent tels quels.</translation>
    </message>
    <message>
        <source>Why the operator cannot be applied</source>
        <translation>Pourquoi l&apos;opérateur ne peut pas être appliqué</translation>
    </message>
    <message>
        <source>The operation on the image</source>
        <translation>L&apos;opération sur l&apos;image</translation>
    </message>
    <message>
        <source>&amp;Operator</source>
        <translation>&amp;Opérateur</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>Forme</translation>
    </message>
    <message>
        <source>Pixels around a pixel that count; in a volume a ball or a box</source>
        <translation>Les pixels pris en compte autour d&apos;un pixel ; dans un volume, une boule ou un pavé</translation>
    </message>
    <message>
        <source>Disc</source>
        <translation>Disque</translation>
    </message>
    <message>
        <source>Box</source>
        <translation>Carré</translation>
    </message>
    <message>
        <source>&amp;Shape</source>
        <translation>&amp;Forme</translation>
    </message>
    <message>
        <source>Radius</source>
        <translation>Rayon</translation>
    </message>
    <message>
        <source>From the centre of the shape; of a box half of the side</source>
        <translation>À partir du centre de la forme ; pour un carré, la moitié du côté</translation>
    </message>
    <message>
        <source>&amp;Radius</source>
        <translation>&amp;Rayon</translation>
    </message>
    <message>
        <source>Sigma</source>
        <translation>Sigma</translation>
    </message>
    <message>
        <source>Standard deviation of the Gaussian</source>
        <translation>Écart type de la gaussienne</translation>
    </message>
    <message>
        <source>S&amp;igma</source>
        <translation>S&amp;igma</translation>
    </message>
    <message>
        <source>Height</source>
        <translation>Hauteur</translation>
    </message>
    <message>
        <source>Difference of values: lower maxima (minima) disappear, others lose it</source>
        <translation>Différence de valeurs : les maxima (minima) moins hauts disparaissent, les autres la perdent</translation>
    </message>
    <message>
        <source>&amp;Height</source>
        <translation>&amp;Hauteur</translation>
    </message>
    <message>
        <source>Unit of lengths</source>
        <translation>Unité des longueurs</translation>
    </message>
    <message>
        <source>Of the radius, sigma, distances and the thickness; in volumes px are widths of a voxel</source>
        <translation>Du rayon, de sigma, des distances et de l&apos;épaisseur ; dans les volumes, px désigne la largeur d&apos;un voxel</translation>
    </message>
    <message>
        <source>&amp;Unit</source>
        <translation>&amp;Unité</translation>
    </message>
    <message>
        <source>Marker</source>
        <translation>Marqueur</translation>
    </message>
    <message>
        <source>&amp;Marker</source>
        <translation>&amp;Marqueur</translation>
    </message>
    <message>
        <source>Choose an image…</source>
        <translation>Choisir une image…</translation>
    </message>
    <message>
        <source>Preview</source>
        <translation>Aperçu</translation>
    </message>
    <message>
        <source>Show the result of the operator in place of the image, until it is applied or this dialog is closed</source>
        <translation>Montrer le résultat de l&apos;opérateur à la place de l&apos;image, jusqu&apos;à ce qu&apos;il soit appliqué ou que ce dialogue soit fermé</translation>
    </message>
    <message>
        <source>&amp;Preview</source>
        <translation>Ap&amp;erçu</translation>
    </message>
    <message>
        <source>&amp;Preview: computing…</source>
        <translation>Ap&amp;erçu : calcul…</translation>
    </message>
    <message>
        <source>An image of the same size, such as labels; its pixels other than 0 are marked, or, of a grey marker, its values count</source>
        <translation>Une image de même taille, par exemple des étiquettes ; ses pixels autres que 0 sont marqués, ou, pour un marqueur gris, ses valeurs comptent</translation>
    </message>
    <message>
        <source>Grey marker</source>
        <translation>Marqueur gris</translation>
    </message>
    <message>
        <source>The reconstruction starts from the values of the marker instead of the image at the marked pixels. By dilation, values above the image count as the image; by erosion, values below it</source>
        <translation>La reconstruction part des valeurs du marqueur, et non de l&apos;image aux pixels marqués. Par dilatation, les valeurs au-dessus de l&apos;image comptent comme l&apos;image ; par érosion, celles au-dessous</translation>
    </message>
    <message>
        <source>&amp;Grey marker</source>
        <translation>Marqueur &amp;gris</translation>
    </message>
    <message>
        <source>Neighbours of a pixel</source>
        <translation>Voisins d&apos;un pixel</translation>
    </message>
    <message>
        <source>Which neighbours belong to the same component</source>
        <translation>Quels voisins appartiennent à la même composante</translation>
    </message>
    <message>
        <source>&amp;Neighbours</source>
        <translation>&amp;Voisins</translation>
    </message>
    <message>
        <source>Channel of the marker</source>
        <translation>Canal du marqueur</translation>
    </message>
    <message>
        <source>Name or number of a channel of the marker, from 0; empty: its luminance</source>
        <translation>Nom ou numéro d&apos;un canal du marqueur, à partir de 0 ; vide : sa luminance</translation>
    </message>
    <message>
        <source>luminance</source>
        <translation>luminance</translation>
    </message>
    <message>
        <source>&amp;Channel</source>
        <translation>&amp;Canal</translation>
    </message>
</context>
<context>
    <name>pollard::app::OrthogonalPanel</name>
    <message>
        <source>Open a volume to see it from the side: a stack of a microscope, CT, MRI.</source>
        <translation>Ouvrez un volume pour le voir de côté : une pile d&apos;un microscope, un scanner, une IRM.</translation>
    </message>
    <message>
        <source>x %1, y %2, slice %3</source>
        <translation>x %1, y %2, coupe %3</translation>
    </message>
    <message>
        <source>Section %1</source>
        <translation>Coupe %1</translation>
    </message>
    <message>
        <source>The volume across y: a patient with the head or the front on top, else x to the right and slices downwards</source>
        <translation>Le volume en travers de y : un patient avec la tête ou l’avant en haut, sinon x vers la droite et les coupes vers le bas</translation>
    </message>
    <message>
        <source>The volume across x: a patient with the head or the front on top, else slices to the right and y downwards</source>
        <translation>Le volume en travers de x : un patient avec la tête ou l’avant en haut, sinon les coupes vers la droite et y vers le bas</translation>
    </message>
</context>
<context>
    <name>pollard::app::PicksControls</name>
    <message>
        <source>at least</source>
        <translation>au moins</translation>
    </message>
    <message>
        <source>Pick by hand</source>
        <translation>Désigner à la main</translation>
    </message>
    <message>
        <source>Pick components by hand</source>
        <translation>Désigner des composantes à la main</translation>
    </message>
    <message>
        <source>Remove components by clicking on the image (with Shift: keep them); click again for the one around</source>
        <translation>Retirer des composantes en cliquant sur l&apos;image (avec Maj : les garder) ; cliquez encore pour celle qui l&apos;entoure</translation>
    </message>
    <message>
        <source> px</source>
        <translation> px</translation>
    </message>
    <message>
        <source>Smallest component to pick</source>
        <translation>Plus petite composante à désigner</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>Effacer</translation>
    </message>
    <message>
        <source>Undo all picks</source>
        <translation>Revenir sur toutes les désignations</translation>
    </message>
    <message>
        <source>Picked components</source>
        <translation>Composantes désignées</translation>
    </message>
    <message>
        <source>Click an entry, or press Delete on it, to undo it</source>
        <translation>Cliquez une entrée, ou pressez Suppr dessus, pour revenir dessus</translation>
    </message>
    <message>
        <source>Forget the components kept or removed by hand</source>
        <translation>Oublier les composantes gardées ou supprimées à la main</translation>
    </message>
    <message>
        <source>A click removes the highlighted component, with Shift it keeps it. Esc ends.</source>
        <translation>Un clic supprime la composante mise en évidence, avec Maj il la conserve. Échap termine.</translation>
    </message>
    <message>
        <source>A click means the smallest component of at least so many pixels or voxels at that place</source>
        <translation>Un clic désigne la plus petite composante d&apos;au moins ce nombre de pixels ou de voxels à cet endroit</translation>
    </message>
    <message>
        <source> voxels</source>
        <translation> voxels</translation>
    </message>
</context>
<context>
    <name>pollard::app::PixelSizeControls</name>
    <message>
        <source>unknown</source>
        <translation>inconnue</translation>
    </message>
    <message>
        <source>Measure from a scale bar…</source>
        <translation>Mesurer une barre d’échelle…</translation>
    </message>
    <message>
        <source>As in the file</source>
        <translation>Comme dans le fichier</translation>
    </message>
    <message>
        <source>&amp;Pixel size</source>
        <translation>Taille d’un &amp;pixel</translation>
    </message>
    <message>
        <source>Pixel size</source>
        <translation>Taille d’un pixel</translation>
    </message>
    <message>
        <source>Side of a pixel in the scene; the width of pixels that are not square</source>
        <translation>Côté d’un pixel dans la scène ; la largeur de pixels non carrés</translation>
    </message>
    <message>
        <source>Height of a pixel</source>
        <translation>Hauteur d’un pixel</translation>
    </message>
    <message>
        <source>Height of a pixel in the scene</source>
        <translation>Hauteur d’un pixel dans la scène</translation>
    </message>
    <message>
        <source>Separate width and height</source>
        <translation>Largeur et hauteur séparées</translation>
    </message>
    <message>
        <source>Enter width and height of pixels that are not square</source>
        <translation>Saisir la largeur et la hauteur de pixels non carrés</translation>
    </message>
    <message>
        <source>Unit of the pixel size</source>
        <translation>Unité de la taille d’un pixel</translation>
    </message>
    <message>
        <source>Unit of the pixel size; the number stays</source>
        <translation>Unité de la taille d’un pixel ; le nombre reste</translation>
    </message>
    <message>
        <source>for this image</source>
        <translation>pour cette image</translation>
    </message>
    <message>
        <source>for all images of this folder</source>
        <translation>pour toutes les images de ce dossier</translation>
    </message>
    <message>
        <source>Images with this size</source>
        <translation>Images avec cette taille</translation>
    </message>
    <message>
        <source>For this image: the size is saved in sessions. For all images of this folder: it is stored in the preferences, and used where a file states no size</source>
        <translation>Pour cette image : la taille est enregistrée dans les sessions. Pour toutes les images de ce dossier : elle est enregistrée dans les préférences, et sert où un fichier n’indique pas de taille</translation>
    </message>
    <message>
        <source>Measure from a scale bar</source>
        <translation>Mesurer une barre d’échelle</translation>
    </message>
    <message>
        <source>Draw a line over an object of known length, such as a scale bar, and enter its length</source>
        <translation>Tracer un trait sur un objet de longueur connue, une barre d’échelle par exemple, et saisir sa longueur</translation>
    </message>
    <message>
        <source>Remove this size</source>
        <translation>Retirer cette taille</translation>
    </message>
    <message>
        <source>Drag a line over the scale bar; Shift keeps it straight. Return: type its length in px. Esc: end</source>
        <translation>Tirer un trait sur la barre d’échelle ; Maj le garde droit. Entrée : saisir sa longueur en px. Échap : terminer</translation>
    </message>
    <message>
        <source>S&amp;lices</source>
        <translation>&amp;Coupes</translation>
    </message>
    <message>
        <source>Distance of slices</source>
        <translation>Distance des coupes</translation>
    </message>
    <message>
        <source>Distance in the scene from a slice of the volume to the next one</source>
        <translation>Distance dans la scène d’une coupe du volume à la suivante</translation>
    </message>
</context>
<context>
    <name>pollard::app::PlateDialog</name>
    <message>
        <source>Field</source>
        <translation>Champ</translation>
    </message>
    <message>
        <source>The field of the well that is open</source>
        <translation>Le champ du puits ouvert</translation>
    </message>
    <message>
        <source>&amp;Field</source>
        <translation>C&amp;hamp</translation>
    </message>
    <message>
        <source>Colour by</source>
        <translation>Colorer par</translation>
    </message>
    <message>
        <source>Colours each well by its value in a column of the table of objects</source>
        <translation>Colore chaque puits par sa valeur dans une colonne du tableau d&apos;objets</translation>
    </message>
    <message>
        <source>&amp;Colour by</source>
        <translation>&amp;Colorer par</translation>
    </message>
    <message>
        <source>&amp;Table…</source>
        <translation>&amp;Tableau…</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>Tableau</translation>
    </message>
    <message>
        <source>Open the table of objects that a batch over the plate wrote</source>
        <translation>Ouvrir le tableau d&apos;objets qu&apos;un traitement de la plaque a écrit</translation>
    </message>
    <message>
        <source>Wells</source>
        <translation>Puits</translation>
    </message>
    <message>
        <source>A click or Return opens a well</source>
        <translation>Un clic ou Entrée ouvre un puits</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Progression</translation>
    </message>
    <message>
        <source>Plate map</source>
        <translation>Carte de la plaque</translation>
    </message>
    <message>
        <source>Plate map of %1</source>
        <translation>Carte de la plaque %1</translation>
    </message>
    <message>
        <source>Small images</source>
        <translation>Petites images</translation>
    </message>
    <message>
        <source>The open image belongs to no plate.</source>
        <translation>L&apos;image ouverte n&apos;appartient à aucune plaque.</translation>
    </message>
    <message>
        <source>%1: missing in the files</source>
        <translation>%1 : absent des fichiers</translation>
    </message>
    <message>
        <source>%1: %2 %3</source>
        <translation>%1 : %2 %3</translation>
    </message>
    <message>
        <source>missing</source>
        <translation>absent</translation>
    </message>
    <message>
        <source>Choose a table of objects</source>
        <translation>Choisir un tableau d&apos;objets</translation>
    </message>
    <message>
        <source>Table (*.csv)</source>
        <translation>Tableau (*.csv)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Tous les fichiers (*)</translation>
    </message>
    <message>
        <source>Plate &amp;map…</source>
        <translation>Carte de la pla&amp;que…</translation>
    </message>
    <message>
        <source>The wells of the plate with small images, or coloured by a table of objects</source>
        <translation>Les puits de la plaque avec de petites images, ou colorés par un tableau d&apos;objets</translation>
    </message>
    <message>
        <source>Previo&amp;us well</source>
        <translation>P&amp;uits précédent</translation>
    </message>
    <message>
        <source>The well before this one on the plate</source>
        <translation>Le puits précédent de la plaque</translation>
    </message>
    <message>
        <source>Next &amp;well</source>
        <translation>Puits suivant</translation>
    </message>
    <message>
        <source>The next well of the plate</source>
        <translation>Le puits suivant de la plaque</translation>
    </message>
    <message>
        <source>Pre&amp;vious field</source>
        <translation>C&amp;hamp précédent</translation>
    </message>
    <message>
        <source>The field before this one of the well</source>
        <translation>Le champ précédent du puits</translation>
    </message>
    <message>
        <source>Next &amp;field</source>
        <translation>Champ suivant</translation>
    </message>
    <message>
        <source>The next field of the well</source>
        <translation>Le champ suivant du puits</translation>
    </message>
</context>
<context>
    <name>pollard::app::PreferencesDialog</name>
    <message>
        <source>Preferences</source>
        <translation>Préférences</translation>
    </message>
    <message>
        <source>Looks, computing, files</source>
        <translation>Apparence, calcul, fichiers</translation>
    </message>
    <message>
        <source>&amp;Looks</source>
        <translation>A&amp;pparence</translation>
    </message>
    <message>
        <source>&amp;Computing</source>
        <translation>&amp;Calcul</translation>
    </message>
    <message>
        <source>&amp;Files</source>
        <translation>&amp;Fichiers</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Langue</translation>
    </message>
    <message>
        <source>Language of the program; applies from the next start on</source>
        <translation>Langue du programme ; s&apos;applique à partir du prochain démarrage</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>Comme le système</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>Thème</translation>
    </message>
    <message>
        <source>Colours of the window</source>
        <translation>Couleurs de la fenêtre</translation>
    </message>
    <message>
        <source>Colour map</source>
        <translation>Table de couleurs</translation>
    </message>
    <message>
        <source>For the open image, and for files that are opened for the first time</source>
        <translation>Pour l&apos;image ouverte, et pour les fichiers ouverts pour la première fois</translation>
    </message>
    <message>
        <source>Reduce motion</source>
        <translation>Réduire les mouvements</translation>
    </message>
    <message>
        <source>Nothing blinks by itself, and menus and panels do not slide</source>
        <translation>Rien n&apos;alterne tout seul, et menus et panneaux ne glissent pas</translation>
    </message>
    <message>
        <source>Measure objects in the unit of the scene</source>
        <translation>Mesurer les objets dans l&apos;unité de la scène</translation>
    </message>
    <message>
        <source>Where the file states the size of a pixel; else in px</source>
        <translation>Si le fichier indique la taille d&apos;un pixel ; sinon en px</translation>
    </message>
    <message>
        <source>Rulers count pixels</source>
        <translation>Les règles comptent les pixels</translation>
    </message>
    <message>
        <source>Even where the size of a pixel is known</source>
        <translation>Même si la taille d&apos;un pixel est connue</translation>
    </message>
    <message>
        <source>Language (from the next start on)</source>
        <translation>Langue (au prochain démarrage)</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>Moteur</translation>
    </message>
    <message>
        <source>Engine of all computations; applies at once</source>
        <translation>Moteur de tous les calculs ; s&apos;applique tout de suite</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>Automatique</translation>
    </message>
    <message>
        <source>Processors</source>
        <translation>Processeurs</translation>
    </message>
    <message>
        <source>Processors for the CPU engine, of %1; applies from the next start on</source>
        <translation>Processeurs pour le moteur CPU, sur %1 ; s&apos;applique à partir du prochain démarrage</translation>
    </message>
    <message>
        <source>all</source>
        <translation>tous</translation>
    </message>
    <message>
        <source>Ask before an image that needs more than half of the free memory</source>
        <translation>Demander avant une image qui prend plus de la moitié de la mémoire libre</translation>
    </message>
    <message>
        <source>Shows the numbers and the choices: a part, a smaller version, the CPU</source>
        <translation>Montre les nombres et les choix : une partie, une version plus petite, le CPU</translation>
    </message>
    <message>
        <source>Memory for earlier pages</source>
        <translation>Mémoire pour les pages précédentes</translation>
    </message>
    <message>
        <source>Pages of a stack keep their trees up to this size, so that going back takes no time</source>
        <translation>Les pages d&apos;une pile gardent leurs arbres jusqu&apos;à cette taille, pour qu&apos;y revenir ne prenne pas de temps</translation>
    </message>
    <message>
        <source> MiB</source>
        <translation> Mio</translation>
    </message>
    <message>
        <source>none</source>
        <translation>aucun</translation>
    </message>
    <message>
        <source>Processors (from the next start on)</source>
        <translation>Processeurs (au prochain démarrage)</translation>
    </message>
    <message>
        <source> MP</source>
        <translation> MP</translation>
    </message>
    <message>
        <source>Largest page</source>
        <translation>Plus grande page</translation>
    </message>
    <message>
        <source>Pixels of a page, in millions</source>
        <translation>Pixels d&apos;une page, en millions</translation>
    </message>
    <message>
        <source> GiB</source>
        <translation> Gio</translation>
    </message>
    <message>
        <source>free memory</source>
        <translation>mémoire libre</translation>
    </message>
    <message>
        <source>Largest decoded page</source>
        <translation>Plus grande page décodée</translation>
    </message>
    <message>
        <source>Bytes of all samples of a page; 0 for the free memory of the computer</source>
        <translation>Octets de tous les échantillons d&apos;une page ; 0 pour la mémoire libre de l&apos;ordinateur</translation>
    </message>
    <message>
        <source> : 1</source>
        <translation> : 1</translation>
    </message>
    <message>
        <source>Largest expansion</source>
        <translation>Plus grande expansion</translation>
    </message>
    <message>
        <source>Decoded bytes per byte of the file, for pages over 256 MiB; beyond it a file is taken for a decompression bomb</source>
        <translation>Octets décodés par octet du fichier, pour les pages de plus de 256 Mio ; au-delà un fichier est pris pour une bombe de décompression</translation>
    </message>
    <message>
        <source>Files that claim too much</source>
        <translation>Fichiers qui prétendent trop</translation>
    </message>
    <message>
        <source>A file beyond these limits is refused before memory is taken. They apply to files opened from now on.</source>
        <translation>Un fichier au-delà de ces limites est refusé avant que la mémoire soit prise. Elles valent pour les fichiers ouverts désormais.</translation>
    </message>
    <message>
        <source>When leaving changed work</source>
        <translation>Au moment de quitter un travail modifié</translation>
    </message>
    <message>
        <source>When an image or the window is closed, or another image opened, after changes</source>
        <translation>Quand l&apos;image ou la fenêtre est fermée, ou une autre image ouverte, après des modifications</translation>
    </message>
    <message>
        <source>Ask</source>
        <translation>Demander</translation>
    </message>
    <message>
        <source>Keep without asking</source>
        <translation>Conserver sans demander</translation>
    </message>
    <message>
        <source>Memory of the program</source>
        <translation>Mémoire du programme</translation>
    </message>
    <message>
        <source>An image or a job that needs more is refused, opened smaller or filtered in chunks; 0 for the free memory of the computer</source>
        <translation>Une image ou un travail qui demande plus est refusé, ouvert en plus petit ou filtré par morceaux ; 0 pour la mémoire libre de l&apos;ordinateur</translation>
    </message>
</context>
<context>
    <name>pollard::app::ProfileStrip</name>
    <message>
        <source>Images of the profile</source>
        <translation>Images du profil</translation>
    </message>
    <message>
        <source>The result of each threshold, or with &apos;Differences&apos; the part removed by the step to it. Click an image, or press Return, to filter with its threshold</source>
        <translation>Le résultat de chaque seuil, ou avec « Différences » la part retirée par le pas jusqu&apos;à lui. Cliquez une image, ou pressez Entrée, pour filtrer avec son seuil</translation>
    </message>
    <message>
        <source>e.g. 10, 100, 1000</source>
        <translation>p. ex. 10, 100, 1000</translation>
    </message>
    <message>
        <source>Thresholds of the profile</source>
        <translation>Seuils du profil</translation>
    </message>
    <message>
        <source>Thresholds of the current criterion&apos;s attribute, smallest value that is kept; numbers between commas</source>
        <translation>Seuils de l&apos;attribut du critère courant, plus petite valeur gardée ; nombres séparés par des virgules</translation>
    </message>
    <message>
        <source>&amp;Thresholds</source>
        <translation>&amp;Seuils</translation>
    </message>
    <message>
        <source>From &amp;spectrum</source>
        <translation>D&apos;après le s&amp;pectre</translation>
    </message>
    <message>
        <source>Thresholds from the spectrum</source>
        <translation>Seuils d&apos;après le spectre</translation>
    </message>
    <message>
        <source>Thresholds that remove 0.5, 2, 6, 15 and 40 % of the grey mass, for this image and the next ones</source>
        <translation>Seuils qui retirent 0,5, 2, 6, 15 et 40 % de la masse de gris, pour cette image et les suivantes</translation>
    </message>
    <message>
        <source>&amp;Differences</source>
        <translation>&amp;Différences</translation>
    </message>
    <message>
        <source>Differences</source>
        <translation>Différences</translation>
    </message>
    <message>
        <source>Show the part removed by each step instead of its result (differential profile)</source>
        <translation>Montrer la part retirée par chaque pas au lieu de son résultat (profil différentiel)</translation>
    </message>
    <message>
        <source>original</source>
        <translation>originale</translation>
    </message>
    <message>
        <source>Keep every component</source>
        <translation>Garder toutes les composantes</translation>
    </message>
    <message>
        <source>Filtering …</source>
        <translation>Filtrage…</translation>
    </message>
    <message>
        <source>The image has one grey level: there is nothing to remove.</source>
        <translation>L&apos;image a un seul niveau de gris : il n&apos;y a rien à retirer.</translation>
    </message>
</context>
<context>
    <name>pollard::app::ProminenceControls</name>
    <message>
        <source>Number of the most prominent</source>
        <translation>Nombre des plus proéminents</translation>
    </message>
    <message>
        <source>Number of the most prominent to keep; of equal ones those further up and left</source>
        <translation>Nombre des plus proéminents à garder ; parmi les égaux ceux plus haut et plus à gauche</translation>
    </message>
    <message>
        <source>by</source>
        <translation>selon</translation>
    </message>
    <message>
        <source>Only the most prominent maxima</source>
        <translation>Seulement les maxima les plus proéminents</translation>
    </message>
    <message>
        <source>Only the most prominent minima</source>
        <translation>Seulement les minima les plus proéminents</translation>
    </message>
    <message>
        <source>Remove components that hold none of the most prominent extrema</source>
        <translation>Retirer les composantes qui ne contiennent aucun des extrema les plus proéminents</translation>
    </message>
    <message>
        <source>Measure of prominence</source>
        <translation>Mesure de la proéminence</translation>
    </message>
</context>
<context>
    <name>pollard::app::RaceChart</name>
    <message>
        <source>Times</source>
        <translation>Temps</translation>
    </message>
    <message>
        <source>Milliseconds that each algorithm takes for the tree of the open image: shorter is better</source>
        <translation>Millisecondes que prend chaque algorithme pour l&apos;arbre de l&apos;image ouverte : moins, c&apos;est mieux</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>ms</translation>
    </message>
    <message>
        <source>%1: %2 ms</source>
        <translation>%1 : %2 ms</translation>
    </message>
    <message>
        <source>Time, ms</source>
        <translation>Temps, ms</translation>
    </message>
</context>
<context>
    <name>pollard::app::RaceDialog</name>
    <message>
        <source>Start</source>
        <translation>Démarrer</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Arrêter</translation>
    </message>
    <message>
        <source>Race of the algorithms</source>
        <translation>Course des algorithmes</translation>
    </message>
    <message>
        <source>Algorithm</source>
        <translation>Algorithme</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>Moteur</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>ms</translation>
    </message>
    <message>
        <source>Times</source>
        <translation>Temps</translation>
    </message>
    <message>
        <source>Build the tree with every algorithm, %1 times each</source>
        <translation>Construire l&apos;arbre avec chaque algorithme, %1 fois chacun</translation>
    </message>
    <message>
        <source>End the race</source>
        <translation>Finir la course</translation>
    </message>
    <message>
        <source>Open an image first.</source>
        <translation>Ouvrez d&apos;abord une image.</translation>
    </message>
    <message>
        <source>…</source>
        <translation>…</translation>
    </message>
    <message>
        <source>Median time of %1 builds, node tables included</source>
        <translation>Le temps médian de %1 constructions, tables de nœuds comprises</translation>
    </message>
    <message>
        <source>Speed-up</source>
        <translation>Accélération</translation>
    </message>
    <message>
        <source>Time of the first row, divided by the time of this row</source>
        <translation>Temps de la première ligne, divisé par celui de cette ligne</translation>
    </message>
    <message>
        <source>Engines that do not take part, with the reason</source>
        <translation>Moteurs qui ne participent pas, avec la raison</translation>
    </message>
    <message>
        <source>Save as CSV…</source>
        <translation>Enregistrer en CSV…</translation>
    </message>
    <message>
        <source>Write the table into a file</source>
        <translation>Écrire le tableau dans un fichier</translation>
    </message>
    <message>
        <source>Save the times</source>
        <translation>Enregistrer les temps</translation>
    </message>
    <message>
        <source>Table (*.csv)</source>
        <translation>Tableau (*.csv)</translation>
    </message>
    <message>
        <source>The times were not saved: %1</source>
        <translation>Les temps n&apos;ont pas été enregistrés : %1</translation>
    </message>
    <message>
        <source>running</source>
        <translation>en cours</translation>
    </message>
</context>
<context>
    <name>pollard::app::RawDialog</name>
    <message>
        <source>Open as raw data</source>
        <translation>Ouvrir en données brutes</translation>
    </message>
    <message>
        <source>How are the pixels of %1 stored?</source>
        <translation>Comment les pixels de %1 sont-ils rangés ?</translation>
    </message>
    <message>
        <source>Preview</source>
        <translation>Aperçu</translation>
    </message>
    <message>
        <source>The first page, made small, between the 0.1 % and 99.9 % percentiles</source>
        <translation>La première page, réduite, entre les centiles 0,1 % et 99,9 %</translation>
    </message>
    <message>
        <source>Size check</source>
        <translation>Contrôle de la taille</translation>
    </message>
    <message>
        <source>Own choice</source>
        <translation>Choix personnel</translation>
    </message>
    <message>
        <source>Proposal</source>
        <translation>Proposition</translation>
    </message>
    <message>
        <source>Layouts that fill the file exactly, the most likely first</source>
        <translation>Dispositions qui remplissent exactement le fichier, les plus probables d&apos;abord</translation>
    </message>
    <message>
        <source>Width</source>
        <translation>Largeur</translation>
    </message>
    <message>
        <source>Pixels of a row</source>
        <translation>Pixels d&apos;une ligne</translation>
    </message>
    <message>
        <source>Height</source>
        <translation>Hauteur</translation>
    </message>
    <message>
        <source>Rows of a page</source>
        <translation>Lignes d&apos;une page</translation>
    </message>
    <message>
        <source>Sample type</source>
        <translation>Type d&apos;échantillon</translation>
    </message>
    <message>
        <source>How a sample is stored</source>
        <translation>Comment un échantillon est rangé</translation>
    </message>
    <message>
        <source>Little-endian (PC)</source>
        <translation>Petit-boutiste (PC)</translation>
    </message>
    <message>
        <source>Big-endian</source>
        <translation>Gros-boutiste</translation>
    </message>
    <message>
        <source>Byte order</source>
        <translation>Ordre des octets</translation>
    </message>
    <message>
        <source>Which byte of a sample comes first</source>
        <translation>Quel octet d&apos;un échantillon vient d&apos;abord</translation>
    </message>
    <message>
        <source>Samples per pixel</source>
        <translation>Échantillons par pixel</translation>
    </message>
    <message>
        <source>3 for interleaved colours</source>
        <translation>3 pour des couleurs entrelacées</translation>
    </message>
    <message>
        <source>Offset</source>
        <translation>Décalage</translation>
    </message>
    <message>
        <source>Bytes before the first page</source>
        <translation>Octets avant la première page</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>Pages</translation>
    </message>
    <message>
        <source>One after the other without gaps</source>
        <translation>L&apos;une après l&apos;autre sans intervalle</translation>
    </message>
    <message>
        <source>Offset in bytes</source>
        <translation>Décalage en octets</translation>
    </message>
</context>
<context>
    <name>pollard::app::RecipePanel</name>
    <message>
        <source>Apply</source>
        <translation>Appliquer</translation>
    </message>
    <message>
        <source>Remove the step</source>
        <translation>Retirer l&apos;étape</translation>
    </message>
    <message>
        <source>Load a recipe</source>
        <translation>Charger une recette</translation>
    </message>
    <message>
        <source>Apply a recipe to this image</source>
        <translation>Appliquer une recette à cette image</translation>
    </message>
    <message>
        <source>Save the recipe</source>
        <translation>Enregistrer la recette</translation>
    </message>
    <message>
        <source>Save the steps as a recipe for other images (JSON)</source>
        <translation>Enregistrer les étapes comme recette pour d&apos;autres images (JSON)</translation>
    </message>
    <message>
        <source>Copy as command line</source>
        <translation>Copier comme ligne de commande</translation>
    </message>
    <message>
        <source>Copy as a script</source>
        <translation>Copier comme script</translation>
    </message>
    <message>
        <source>Copy commands or a Python script that give the same result without a window</source>
        <translation>Copier des commandes ou un script Python qui donnent le même résultat sans fenêtre</translation>
    </message>
    <message>
        <source>Copy as Python</source>
        <translation>Copier comme Python</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Étapes</translation>
    </message>
    <message>
        <source>The steps from the file to the result. Space turns a step on or off; the selected one can be edited below.</source>
        <translation>Les étapes du fichier au résultat. La barre d&apos;espace active ou désactive une étape ; celle qui est choisie se modifie en dessous.</translation>
    </message>
    <message>
        <source>&amp;Name of the recipe</source>
        <translation>&amp;Nom de la recette</translation>
    </message>
    <message>
        <source>Name of the recipe</source>
        <translation>Nom de la recette</translation>
    </message>
    <message>
        <source>One line, as menus show it</source>
        <translation>Une ligne, telle que les menus la montrent</translation>
    </message>
    <message>
        <source>Selected &amp;step</source>
        <translation>É&amp;tape choisie</translation>
    </message>
    <message>
        <source>Selected step</source>
        <translation>Étape choisie</translation>
    </message>
    <message>
        <source>The step in a recipe, with its parameters</source>
        <translation>L&apos;étape dans une recette, avec ses paramètres</translation>
    </message>
    <message>
        <source>Apply these parameters</source>
        <translation>Appliquer ces paramètres</translation>
    </message>
    <message>
        <source>Move the filter up</source>
        <translation>Déplacer le filtre vers le haut</translation>
    </message>
    <message>
        <source>Move the selected filter, with its tree and its region, before the one above</source>
        <translation>Déplacer le filtre choisi, avec son arbre et sa région, avant celui du dessus</translation>
    </message>
    <message>
        <source>Move the filter down</source>
        <translation>Déplacer le filtre vers le bas</translation>
    </message>
    <message>
        <source>Move the selected filter, with its tree and its region, after the one below</source>
        <translation>Déplacer le filtre choisi, avec son arbre et sa région, après celui du dessous</translation>
    </message>
    <message>
        <source>Remove the selected step: a region, an earlier filter, the filter of another channel, or all criteria of the last filter</source>
        <translation>Retirer l&apos;étape choisie : une région, un filtre précédent, le filtre d&apos;un autre canal ou tous les critères du dernier filtre</translation>
    </message>
</context>
<context>
    <name>pollard::app::RegionControls</name>
    <message>
        <source>Si&amp;ze</source>
        <translation>&amp;Taille</translation>
    </message>
    <message>
        <source>Stri&amp;ctness</source>
        <translation>Ri&amp;gueur</translation>
    </message>
    <message>
        <source>Relief</source>
        <translation>Relief</translation>
    </message>
    <message>
        <source>&amp;Strength</source>
        <translation>&amp;Force</translation>
    </message>
    <message>
        <source>&amp;Weight</source>
        <translation>&amp;Poids</translation>
    </message>
    <message>
        <source>&amp;Cut</source>
        <translation>Co&amp;upe</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>Automatique</translation>
    </message>
    <message>
        <source>Dark objects</source>
        <translation>Objets sombres</translation>
    </message>
    <message>
        <source>Objects are darker than their surroundings</source>
        <translation>Les objets sont plus sombres que leurs alentours</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>Sombr&amp;es</translation>
    </message>
    <message>
        <source>Strictness</source>
        <translation>Rigueur</translation>
    </message>
    <message>
        <source>How well a candidate has to fit an object, in percent: a small number finds many objects, a large number few</source>
        <translation>À quel point un candidat doit convenir à un objet, en pour cent : un petit nombre trouve beaucoup d’objets, un grand nombre peu</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>Add or remove objects by clicks</source>
        <translation>Ajouter ou retirer des objets par des clics</translation>
    </message>
    <message>
        <source>A click on an object of the image forbids objects at this pixel, a click beside the objects forces an object there; a second click takes the mark back (Esc ends it)</source>
        <translation>Un clic sur un objet de l’image interdit les objets à ce pixel, un clic à côté des objets y impose un objet ; un deuxième clic reprend la marque (Échap termine)</translation>
    </message>
    <message>
        <source>&amp;Add or remove</source>
        <translation>&amp;Ajouter ou retirer</translation>
    </message>
    <message>
        <source>Clear the marks</source>
        <translation>Effacer les marques</translation>
    </message>
    <message>
        <source>Take all forced and forbidden pixels back</source>
        <translation>Reprendre tous les pixels imposés et interdits</translation>
    </message>
    <message>
        <source>What the watershed floods</source>
        <translation>Ce que le partage des eaux inonde</translation>
    </message>
    <message>
        <source>The regions of the watershed lie within the threshold and separate objects that touch</source>
        <translation>Les régions du partage des eaux sont dans le seuil et séparent les objets qui se touchent</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>Valeurs</translation>
    </message>
    <message>
        <source>From bright maxima downwards, of dark objects from minima up</source>
        <translation>Des maxima clairs vers le bas, des objets sombres depuis les minima</translation>
    </message>
    <message>
        <source>Distance</source>
        <translation>Distance</translation>
    </message>
    <message>
        <source>Distance to the background: from thick parts to necks</source>
        <translation>Distance au fond : des parties épaisses vers les étranglements</translation>
    </message>
    <message>
        <source>Lines between the regions</source>
        <translation>Lignes entre les régions</translation>
    </message>
    <message>
        <source>Pixels of lines between regions belong to no object</source>
        <translation>Les pixels des lignes entre les régions n’appartiennent à aucun objet</translation>
    </message>
    <message>
        <source>Lines</source>
        <translation>Lignes</translation>
    </message>
    <message>
        <source>Strength of boundaries</source>
        <translation>Force des frontières</translation>
    </message>
    <message>
        <source>What makes the boundary between two regions strong</source>
        <translation>Ce qui rend forte la frontière entre deux régions</translation>
    </message>
    <message>
        <source>Area</source>
        <translation>Aire</translation>
    </message>
    <message>
        <source>Pixels of the smaller basin</source>
        <translation>Pixels du plus petit bassin</translation>
    </message>
    <message>
        <source>Dynamics</source>
        <translation>Dynamique</translation>
    </message>
    <message>
        <source>Rise above the lowest weight of the flatter basin</source>
        <translation>Élévation au-dessus du plus petit poids du bassin le moins profond</translation>
    </message>
    <message>
        <source>Volume</source>
        <translation>Volume</translation>
    </message>
    <message>
        <source>Sum of the rises over the pixels of the smaller basin</source>
        <translation>Somme des élévations sur les pixels du plus petit bassin</translation>
    </message>
    <message>
        <source>Altitude</source>
        <translation>Altitude</translation>
    </message>
    <message>
        <source>Smallest weight that connects them: flat zones</source>
        <translation>Plus petit poids qui les relie : zones plates</translation>
    </message>
    <message>
        <source>Weight between neighbours</source>
        <translation>Poids entre voisins</translation>
    </message>
    <message>
        <source>Weight of the edge between two neighbouring pixels</source>
        <translation>Poids de l’arête entre deux pixels voisins</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>Différence</translation>
    </message>
    <message>
        <source>Difference of the values, for an image</source>
        <translation>Différence des valeurs, pour une image</translation>
    </message>
    <message>
        <source>Maximum</source>
        <translation>Maximum</translation>
    </message>
    <message>
        <source>Larger value, for a gradient or another relief</source>
        <translation>Plus grande valeur, pour un gradient ou un autre relief</translation>
    </message>
    <message>
        <source>Cut of the hierarchy</source>
        <translation>Coupe de la hiérarchie</translation>
    </message>
    <message>
        <source>Boundaries up to this strength are removed: to the right there are fewer and larger regions</source>
        <translation>Les frontières jusqu’à cette force sont supprimées : vers la droite, les régions sont moins nombreuses et plus grandes</translation>
    </message>
    <message>
        <source>Boundaries up to this strength are removed, in values of the image or px</source>
        <translation>Les frontières jusqu’à cette force sont supprimées, en valeurs de l’image ou en px</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>Effacer</translation>
    </message>
    <message>
        <source>Clear %1</source>
        <translation>Effacer %1</translation>
    </message>
    <message>
        <source>Computing… %1 %</source>
        <translation>Calcul… %1 %</translation>
    </message>
    <message>
        <source>Expected area: %1</source>
        <translation>Aire attendue : %1</translation>
    </message>
    <message>
        <source>1 region</source>
        <translation>1 région</translation>
    </message>
    <message>
        <source>%1 regions</source>
        <translation>%1 régions</translation>
    </message>
    <message>
        <source>&amp;Seeds</source>
        <translation>&amp;Graines</translation>
    </message>
    <message>
        <source>At least</source>
        <translation>Au moins</translation>
    </message>
    <message>
        <source>Gradient</source>
        <translation>Gradient</translation>
    </message>
    <message>
        <source>From flat parts to edges</source>
        <translation>Des parties plates vers les bords</translation>
    </message>
    <message>
        <source>Measure of seeds</source>
        <translation>Mesure des graines</translation>
    </message>
    <message>
        <source>Which maxima of the relief (minima of dark objects and of gradients) are seeds of regions</source>
        <translation>Quels maxima du relief (minima des objets sombres et des gradients) sont des graines de régions</translation>
    </message>
    <message>
        <source>Height</source>
        <translation>Hauteur</translation>
    </message>
    <message>
        <source>h-maxima: they rise more than this above their pass</source>
        <translation>h-maxima : ils s’élèvent de plus que cela au-dessus de leur col</translation>
    </message>
    <message>
        <source>Rise above the pass to a higher maximum</source>
        <translation>Élévation au-dessus du col vers un maximum plus haut</translation>
    </message>
    <message>
        <source>Pixels above the pass</source>
        <translation>Pixels au-dessus du col</translation>
    </message>
    <message>
        <source>Sum of the rises of the pixels above the pass</source>
        <translation>Somme des élévations des pixels au-dessus du col</translation>
    </message>
    <message>
        <source>Least measure of a seed</source>
        <translation>Plus petite mesure d’une graine</translation>
    </message>
    <message>
        <source>Maxima with less are no seeds: to the right there are fewer and larger regions. The last maximum of each object always is a seed. In values of the image, px of distance, or px</source>
        <translation>Les maxima qui ont moins ne sont pas des graines : vers la droite, les régions sont moins nombreuses et plus grandes. Le dernier maximum de chaque objet est toujours une graine. En valeurs de l’image, en px de distance ou en px</translation>
    </message>
    <message>
        <source>Expected size of an object</source>
        <translation>Taille attendue d’un objet</translation>
    </message>
    <message>
        <source>Area that objects are expected to have, in the square of the table&apos;s unit; in a volume their volume, in its cube. At 0 it is estimated from the image. A factor of 0.7 to 1.4 makes little difference.</source>
        <translation>Aire que les objets devraient avoir, dans le carré de l’unité du tableau ; dans un volume leur volume, dans son cube. À 0, elle est estimée d’après l’image. Un facteur de 0,7 à 1,4 change peu de chose.</translation>
    </message>
    <message>
        <source>1 mark has no object: no candidate contains it, or another mark excludes it</source>
        <translation>1 marque n’a pas d’objet : aucun candidat ne la contient, ou une autre marque l’exclut</translation>
    </message>
    <message>
        <source>%1 marks have no object: no candidate contains them, or other marks exclude them</source>
        <translation>%1 marques n’ont pas d’objet : aucun candidat ne les contient, ou d’autres marques les excluent</translation>
    </message>
    <message>
        <source>Expected volume: %1</source>
        <translation>Volume attendu : %1</translation>
    </message>
    <message>
        <source>What is drawn of the regions</source>
        <translation>Ce qui est dessiné des régions</translation>
    </message>
    <message>
        <source>Labels</source>
        <translation>Étiquettes</translation>
    </message>
    <message>
        <source>Each region in the colour of its label or class</source>
        <translation>Chaque région dans la couleur de son étiquette ou de sa classe</translation>
    </message>
    <message>
        <source>Means</source>
        <translation>Moyennes</translation>
    </message>
    <message>
        <source>Each region in the colour of its mean value</source>
        <translation>Chaque région dans la couleur de sa valeur moyenne</translation>
    </message>
    <message>
        <source>Boundaries</source>
        <translation>Frontières</translation>
    </message>
    <message>
        <source>The boundaries that are stronger than the cut, in the colours of their strengths</source>
        <translation>Les frontières plus fortes que la coupe, dans les couleurs de leurs forces</translation>
    </message>
    <message>
        <source>Strengths of the boundaries</source>
        <translation>Forces des frontières</translation>
    </message>
    <message>
        <source>Colours of the boundaries, from the weakest to the strongest boundary; those up to the cut are removed</source>
        <translation>Couleurs des frontières, de la plus faible à la plus forte ; celles jusqu&apos;à la coupe sont supprimées</translation>
    </message>
    <message>
        <source>Dr&amp;aw</source>
        <translation>Dessiner</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 à %2</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Fichier</translation>
    </message>
    <message>
        <source>File of labels</source>
        <translation>Fichier d&apos;étiquettes</translation>
    </message>
    <message>
        <source>Label image of the same size as this image, or outlines: each number is an object, which keeps it. A name without a folder is beside the image; {stem} is the image&apos;s name without its ending, so that each image has its own file</source>
        <translation>Image d&apos;étiquettes de la même taille que cette image, ou contours : chaque numéro est un objet, qui le garde. Un nom sans dossier est à côté de l&apos;image ; {stem} est le nom de l&apos;image sans son extension, pour que chaque image ait son fichier</translation>
    </message>
    <message>
        <source>Choose a file of labels</source>
        <translation>Choisir un fichier d&apos;étiquettes</translation>
    </message>
    <message>
        <source>Choose a label image (TIFF, PNG, OME-Zarr, NIfTI) or outlines (GeoJSON, COCO, ImageJ)</source>
        <translation>Choisir une image d&apos;étiquettes (TIFF, PNG, OME-Zarr, NIfTI) ou des contours (GeoJSON, COCO, ImageJ)</translation>
    </message>
    <message>
        <source>…</source>
        <translation>…</translation>
    </message>
    <message>
        <source>Choose labels</source>
        <translation>Choisir des étiquettes</translation>
    </message>
    <message>
        <source>1 object</source>
        <translation>1 objet</translation>
    </message>
    <message>
        <source>%1 objects</source>
        <translation>%1 objets</translation>
    </message>
    <message>
        <source>The colour of each region, or the boundaries between the regions</source>
        <translation>La couleur de chaque région, ou les frontières entre les régions</translation>
    </message>
    <message>
        <source>Next unsure candidate</source>
        <translation>Candidat incertain suivant</translation>
    </message>
    <message>
        <source>Show the candidate whose fit is next to the strictness, with a ring; its answer tells the most</source>
        <translation>Montrer le candidat dont l’adéquation est la plus proche de la rigueur, avec un anneau ; sa réponse apprend le plus</translation>
    </message>
    <message>
        <source>Next unsure</source>
        <translation>Incertain suivant</translation>
    </message>
    <message>
        <source>The candidate is an object</source>
        <translation>Le candidat est un objet</translation>
    </message>
    <message>
        <source>Force an object there and show the next candidate</source>
        <translation>Imposer un objet à cet endroit et montrer le candidat suivant</translation>
    </message>
    <message>
        <source>Yes</source>
        <translation>Oui</translation>
    </message>
    <message>
        <source>The candidate is no object</source>
        <translation>Le candidat n’est pas un objet</translation>
    </message>
    <message>
        <source>Forbid objects there and show the next candidate</source>
        <translation>Interdire les objets à cet endroit et montrer le candidat suivant</translation>
    </message>
    <message>
        <source>No</source>
        <translation>Non</translation>
    </message>
    <message>
        <source>Learn the weights from the listed objects</source>
        <translation>Apprendre les poids à partir des objets listés</translation>
    </message>
    <message>
        <source>Fit the weights of the score to the objects of the table, marked and edited ones, too. Mark or edit the whole image first: each candidate that is not listed counts as no object</source>
        <translation>Ajuster les poids du score aux objets du tableau, y compris ceux marqués ou modifiés. Marquez ou modifiez d’abord toute l’image : chaque candidat absent de la liste compte comme non-objet</translation>
    </message>
    <message>
        <source>Learn weights</source>
        <translation>Apprendre les poids</translation>
    </message>
    <message>
        <source>Built-in weights</source>
        <translation>Poids intégrés</translation>
    </message>
    <message>
        <source>Use the weights of the program instead of the learned ones</source>
        <translation>Utiliser les poids du programme au lieu de ceux qui ont été appris</translation>
    </message>
    <message>
        <source>Is the candidate in the ring an object? By the scores it is.</source>
        <translation>Le candidat dans l’anneau est-il un objet ? D’après les scores, oui.</translation>
    </message>
    <message>
        <source>Is the candidate in the ring an object? By the scores it is not.</source>
        <translation>Le candidat dans l’anneau est-il un objet ? D’après les scores, non.</translation>
    </message>
</context>
<context>
    <name>pollard::app::RegionLevelsChart</name>
    <message>
        <source>Levels inside and outside of the contour</source>
        <translation>Niveaux à l&apos;intérieur et à l&apos;extérieur du contour</translation>
    </message>
    <message>
        <source>Areas: distribution of the grey levels inside and outside. Lines: the law with the parameters that make each region most likely. The better they fit, the better the law suits the image.</source>
        <translation>Aires : répartition des niveaux de gris à l&apos;intérieur et à l&apos;extérieur. Lignes : la loi avec les paramètres qui rendent chaque région la plus vraisemblable. Mieux elles s&apos;accordent, mieux la loi convient à l&apos;image.</translation>
    </message>
    <message>
        <source>Inside</source>
        <translation>Intérieur</translation>
    </message>
    <message>
        <source>Outside</source>
        <translation>Extérieur</translation>
    </message>
    <message>
        <source>grey levels</source>
        <translation>niveaux de gris</translation>
    </message>
</context>
<context>
    <name>pollard::app::RegionPanel</name>
    <message>
        <source>The whole image is analysed. Draw a shape to analyse only a part.</source>
        <translation>Toute l&apos;image est analysée. Dessinez une forme pour en analyser une partie.</translation>
    </message>
    <message>
        <source>Shapes</source>
        <translation>Formes</translation>
    </message>
    <message>
        <source>Shapes of the region; their union is analysed</source>
        <translation>Formes de la région ; leur réunion est analysée</translation>
    </message>
    <message>
        <source>&amp;x</source>
        <translation>&amp;x</translation>
    </message>
    <message>
        <source>Left border</source>
        <translation>Bord gauche</translation>
    </message>
    <message>
        <source>Left border of the selected shape, px from the left</source>
        <translation>Bord gauche de la forme sélectionnée, px depuis la gauche</translation>
    </message>
    <message>
        <source>&amp;y</source>
        <translation>&amp;y</translation>
    </message>
    <message>
        <source>Upper border</source>
        <translation>Bord supérieur</translation>
    </message>
    <message>
        <source>Upper border of the selected shape, px from the top</source>
        <translation>Bord supérieur de la forme sélectionnée, px depuis le haut</translation>
    </message>
    <message>
        <source>&amp;w</source>
        <translation>&amp;l</translation>
    </message>
    <message>
        <source>Width</source>
        <translation>Largeur</translation>
    </message>
    <message>
        <source>Width of the selected shape, px</source>
        <translation>Largeur de la forme sélectionnée, px</translation>
    </message>
    <message>
        <source>&amp;h</source>
        <translation>&amp;h</translation>
    </message>
    <message>
        <source>Height</source>
        <translation>Hauteur</translation>
    </message>
    <message>
        <source>Height of the selected shape, px</source>
        <translation>Hauteur de la forme sélectionnée, px</translation>
    </message>
    <message>
        <source>Area of the shape</source>
        <translation>Aire de la forme</translation>
    </message>
    <message>
        <source>Area within the borders of the selected shape</source>
        <translation>Aire entre les bords de la forme sélectionnée</translation>
    </message>
    <message>
        <source>Area</source>
        <translation>Aire</translation>
    </message>
    <message>
        <source>Analyse the &amp;outside</source>
        <translation>&amp;Analyser l&apos;extérieur</translation>
    </message>
    <message>
        <source>Analyse the outside</source>
        <translation>Analyser l&apos;extérieur</translation>
    </message>
    <message>
        <source>Analysed</source>
        <translation>Analysé</translation>
    </message>
    <message>
        <source>Analysed area</source>
        <translation>Aire analysée</translation>
    </message>
    <message>
        <source>Pixels that take part in the analysis</source>
        <translation>Pixels qui prennent part à l&apos;analyse</translation>
    </message>
</context>
<context>
    <name>pollard::app::RenderingPanel</name>
    <message>
        <source>3D view</source>
        <translation>Vue 3D</translation>
    </message>
    <message>
        <source>The volume from any direction. Arrow keys turn it, plus and minus zoom, Home shows it as at first.</source>
        <translation>Le volume vu de toute direction. Les flèches le tournent, plus et moins changent le zoom, Début rétablit la vue initiale.</translation>
    </message>
    <message>
        <source>Maximum intensity</source>
        <translation>Intensité maximale</translation>
    </message>
    <message>
        <source>Minimum intensity</source>
        <translation>Intensité minimale</translation>
    </message>
    <message>
        <source>Volume rendering</source>
        <translation>Rendu volumique</translation>
    </message>
    <message>
        <source>Rendering</source>
        <translation>Rendu</translation>
    </message>
    <message>
        <source>A projection shows the largest or smallest value behind each pixel. Volume rendering shows surfaces: voxels are the more opaque, the brighter they are in the display (the darker, with a min-tree).</source>
        <translation>Une projection montre la plus grande ou la plus petite valeur derrière chaque pixel. Le rendu volumique montre des surfaces : les voxels sont d&apos;autant plus opaques qu&apos;ils sont clairs à l&apos;affichage (sombres, avec un min-tree).</translation>
    </message>
    <message>
        <source>Opacity</source>
        <translation>Opacité</translation>
    </message>
    <message>
        <source>Of a voxel at the bright end of the display (the dark end, with a min-tree)</source>
        <translation>D&apos;un voxel à l&apos;extrémité claire de l&apos;affichage (sombre, avec un min-tree)</translation>
    </message>
    <message>
        <source>Look at %1</source>
        <translation>Regarder %1</translation>
    </message>
    <message>
        <source>Turn the volume so that %1 lies in the view</source>
        <translation>Tourner le volume pour que %1 soit dans le plan de la vue</translation>
    </message>
    <message>
        <source>Reset the view</source>
        <translation>Rétablir la vue</translation>
    </message>
    <message>
        <source>Direction and zoom as at first</source>
        <translation>Direction et zoom initiaux</translation>
    </message>
    <message>
        <source>Open a volume to see it in space: a stack of a microscope, CT, MRI.</source>
        <translation>Ouvrez un volume pour le voir dans l&apos;espace : une pile de microscope, un scanner, une IRM.</translation>
    </message>
    <message>
        <source>Drawn in blocks of %1 x %2 x %3 voxels</source>
        <translation>Dessiné par blocs de %1 x %2 x %3 voxels</translation>
    </message>
    <message>
        <source>Shading</source>
        <translation>Ombrage</translation>
    </message>
    <message>
        <source>Light surfaces by the slope of the values. Without it, drawing is faster.</source>
        <translation>Éclairer les surfaces selon la pente des valeurs. Sans cela, le dessin est plus rapide.</translation>
    </message>
    <message>
        <source>Preset of the volume rendering</source>
        <translation>Préréglage du rendu de volume</translation>
    </message>
    <message>
        <source>No preset</source>
        <translation>Aucun préréglage</translation>
    </message>
    <message>
        <source>Voxels are opaque by their place in the window of the display</source>
        <translation>Les voxels sont opaques selon leur place dans la fenêtre d’affichage</translation>
    </message>
    <message>
        <source>Own curve</source>
        <translation>Courbe propre</translation>
    </message>
    <message>
        <source>The curve of opacity, drawn below</source>
        <translation>La courbe d’opacité, dessinée ci-dessous</translation>
    </message>
</context>
<context>
    <name>pollard::app::RuleGrid</name>
    <message>
        <source>Results of the rules</source>
        <translation>Résultats des règles</translation>
    </message>
    <message>
        <source>The part in the view under each rule for the present criteria. Click an image, or press Return, to filter by its rule. Each pixel is one of the exact result on the whole tree: where an image is reduced, the pixels between are left out</source>
        <translation>La partie visible selon chaque règle, pour les critères actuels. Cliquez une image, ou pressez Entrée, pour filtrer avec sa règle. Chaque pixel est un pixel du résultat exact sur l’arbre entier : dans une image réduite, les pixels intermédiaires sont omis</translation>
    </message>
</context>
<context>
    <name>pollard::app::SampleGallery</name>
    <message>
        <source>Open the sample %1</source>
        <translation>Ouvrir l&apos;exemple %1</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1 : %2</translation>
    </message>
</context>
<context>
    <name>pollard::app::ScaleBarDialog</name>
    <message>
        <source>Pixel size from a scale bar</source>
        <translation>Taille d’un pixel d’après une barre d’échelle</translation>
    </message>
    <message>
        <source>Length of the line in px</source>
        <translation>Longueur du trait en px</translation>
    </message>
    <message>
        <source>Length of the line in px of the image</source>
        <translation>Longueur du trait en px de l’image</translation>
    </message>
    <message>
        <source>Length of the line</source>
        <translation>Longueur du trait</translation>
    </message>
    <message>
        <source>Length in the scene, as labelled on the scale bar</source>
        <translation>Longueur dans la scène, comme inscrite sur la barre d’échelle</translation>
    </message>
    <message>
        <source>Unit of the length</source>
        <translation>Unité de la longueur</translation>
    </message>
    <message>
        <source>&amp;How long is this line?</source>
        <translation>&amp;Quelle est la longueur de ce trait ?</translation>
    </message>
    <message>
        <source>&amp;Line on the image</source>
        <translation>&amp;Trait sur l’image</translation>
    </message>
    <message>
        <source>px</source>
        <translation>px</translation>
    </message>
    <message>
        <source>A pixel is %1 %2 wide and high.</source>
        <translation>Un pixel mesure %1 %2 de large et de haut.</translation>
    </message>
    <message>
        <source>Enter a length above 0.</source>
        <translation>Saisir une longueur supérieure à 0.</translation>
    </message>
    <message>
        <source>The unit that is written beside the scale bar</source>
        <translation>L&apos;unité écrite à côté de la barre d&apos;échelle</translation>
    </message>
</context>
<context>
    <name>pollard::app::ScorePanel</name>
    <message>
        <source>File of the true objects</source>
        <translation>Fichier des vrais objets</translation>
    </message>
    <message>
        <source>Label image of the same size as this image, or outlines. A name without a folder is beside the image; {stem} is the image&apos;s name without its ending, so that each image has its own file</source>
        <translation>Image d’étiquettes de la même taille que cette image, ou contours. Un nom sans dossier désigne un fichier à côté de l’image ; {stem} est le nom de l’image sans son extension, de sorte que chaque image a son propre fichier</translation>
    </message>
    <message>
        <source>Choose a file of the true objects</source>
        <translation>Choisir un fichier des vrais objets</translation>
    </message>
    <message>
        <source>Choose a label image (TIFF, PNG, OME-Zarr, NIfTI) or outlines (GeoJSON, COCO, ImageJ)</source>
        <translation>Choisir une image d’étiquettes (TIFF, PNG, OME-Zarr, NIfTI) ou des contours (GeoJSON, COCO, ImageJ)</translation>
    </message>
    <message>
        <source>Smallest overlap of partners</source>
        <translation>Plus petit recouvrement de partenaires</translation>
    </message>
    <message>
        <source>Two objects are partners if their intersection over union is at least this number</source>
        <translation>Deux objets sont partenaires si le rapport de leur intersection à leur union est au moins ce nombre</translation>
    </message>
    <message>
        <source>Colour the errors</source>
        <translation>Colorer les erreurs</translation>
    </message>
    <message>
        <source>Colour missed, invented, split and merged objects on the image, and right ones grey</source>
        <translation>Colorer dans l’image les objets manqués, inventés, divisés et fusionnés, et en gris les objets justes</translation>
    </message>
    <message>
        <source>Truth</source>
        <translation>Vérité</translation>
    </message>
    <message>
        <source>IoU</source>
        <translation>IoU</translation>
    </message>
    <message>
        <source>2 × matched / (objects + true objects)</source>
        <translation>2 × appariés / (objets + vrais objets)</translation>
    </message>
    <message>
        <source>F1 %1</source>
        <translation>F1 %1</translation>
    </message>
    <message>
        <source>Matched objects / objects</source>
        <translation>Objets appariés / objets</translation>
    </message>
    <message>
        <source>Precision %1</source>
        <translation>Précision %1</translation>
    </message>
    <message>
        <source>Matched objects / true objects</source>
        <translation>Objets appariés / vrais objets</translation>
    </message>
    <message>
        <source>Recall %1</source>
        <translation>Rappel %1</translation>
    </message>
    <message>
        <source>Panoptic quality: F1 × mean overlap of partners</source>
        <translation>Qualité panoptique : F1 × recouvrement moyen des partenaires</translation>
    </message>
    <message>
        <source>PQ %1</source>
        <translation>PQ %1</translation>
    </message>
    <message>
        <source>Mean average precision: matched / (objects + true objects - matched), mean over the overlaps 0.5, 0.55 to 0.95</source>
        <translation>Précision moyenne : appariés / (objets + vrais objets - appariés), moyenne sur les recouvrements 0,5, 0,55 à 0,95</translation>
    </message>
    <message>
        <source>Mean AP %1</source>
        <translation>AP moyenne %1</translation>
    </message>
    <message>
        <source>Hausdorff 95: 95 % of the boundary pixels are at most this far from the other boundary</source>
        <translation>Hausdorff 95 : 95 % des pixels du bord sont au plus à cette distance de l’autre bord</translation>
    </message>
    <message>
        <source>Hausdorff 95 %1</source>
        <translation>Hausdorff 95 %1</translation>
    </message>
    <message>
        <source>Objects with a partner, of the true objects</source>
        <translation>Objets qui ont un partenaire, parmi les vrais objets</translation>
    </message>
    <message>
        <source>Matched %1 of %2</source>
        <translation>Appariés %1 sur %2</translation>
    </message>
    <message>
        <source>True objects that no object shows</source>
        <translation>Vrais objets qu’aucun objet ne montre</translation>
    </message>
    <message>
        <source>Objects that show no true object</source>
        <translation>Objets qui ne montrent aucun vrai objet</translation>
    </message>
    <message>
        <source>True objects that contain most of two or more objects</source>
        <translation>Vrais objets qui contiennent la plus grande partie d’au moins deux objets</translation>
    </message>
    <message>
        <source>True objects that an object covers together with others</source>
        <translation>Vrais objets qu’un objet couvre avec d’autres</translation>
    </message>
    <message>
        <source>Errors</source>
        <translation>Erreurs</translation>
    </message>
    <message>
        <source>Objects without a partner; double-click a row, or press Return, to see its place in the image</source>
        <translation>Objets sans partenaire ; double-cliquez sur une ligne, ou appuyez sur Entrée, pour voir sa place dans l’image</translation>
    </message>
    <message>
        <source>Choose the true objects</source>
        <translation>Choisir les vrais objets</translation>
    </message>
    <message>
        <source>There is no score: %1</source>
        <translation>Il n’y a pas de score : %1</translation>
    </message>
    <message>
        <source>Choose a file of the true objects, for example of objects drawn by hand. The listed objects are compared with it.</source>
        <translation>Choisissez un fichier des vrais objets, par exemple d’objets dessinés à la main. Les objets de la liste lui sont comparés.</translation>
    </message>
    <message>
        <source>Comparing…</source>
        <translation>Comparaison…</translation>
    </message>
    <message>
        <source>Tune numbers</source>
        <translation>Régler des nombres</translation>
    </message>
    <message>
        <source>Try values of one or two numbers of the objects or of the filter, and see which have the highest F1</source>
        <translation>Essayer des valeurs d’un ou deux nombres des objets ou du filtre, et voir lesquelles ont le plus grand F1</translation>
    </message>
    <message>
        <source>Tune…</source>
        <translation>Régler…</translation>
    </message>
</context>
<context>
    <name>pollard::app::SectionView</name>
    <message>
        <source>Draw in the view %1.</source>
        <translation>Dessinez dans la vue %1.</translation>
    </message>
    <message>
        <source>Draw regions in the view %1; they hold in all slices.</source>
        <translation>Dessinez les régions dans la vue %1 ; elles valent dans toutes les coupes.</translation>
    </message>
    <message>
        <source>Contours are in the slices of the view %1.</source>
        <translation>Les contours sont dans les coupes de la vue %1.</translation>
    </message>
</context>
<context>
    <name>pollard::app::SelectionChart</name>
    <message>
        <source>Distribution of the attribute over the selection</source>
        <translation>Répartition de l&apos;attribut sur la sélection</translation>
    </message>
    <message>
        <source>Number of selected components by value</source>
        <translation>Nombre de composantes sélectionnées par valeur</translation>
    </message>
</context>
<context>
    <name>pollard::app::SelectionPanel</name>
    <message>
        <source>This component</source>
        <translation>Cette composante</translation>
    </message>
    <message>
        <source>Add the current component</source>
        <translation>Ajouter la composante courante</translation>
    </message>
    <message>
        <source>Kept</source>
        <translation>Gardées</translation>
    </message>
    <message>
        <source>Select the components that the filter keeps</source>
        <translation>Sélectionner les composantes que le filtre garde</translation>
    </message>
    <message>
        <source>Removed</source>
        <translation>Retirées</translation>
    </message>
    <message>
        <source>Select the components that the filter removes</source>
        <translation>Sélectionner les composantes que le filtre retire</translation>
    </message>
    <message>
        <source>Select nothing</source>
        <translation>Ne rien sélectionner</translation>
    </message>
    <message>
        <source>Remove from the image</source>
        <translation>Ôter de l&apos;image</translation>
    </message>
    <message>
        <source>Remove the selected components from the image with all in them</source>
        <translation>Ôter de l&apos;image les composantes sélectionnées avec tout ce qu&apos;elles contiennent</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Enregistrer</translation>
    </message>
    <message>
        <source>Write the selected components as a mask or as a table</source>
        <translation>Écrire les composantes sélectionnées en masque ou en tableau</translation>
    </message>
    <message>
        <source>Keep under this name</source>
        <translation>Garder sous ce nom</translation>
    </message>
    <message>
        <source>Keep the selection under this name, as long as this tree is shown</source>
        <translation>Garder la sélection sous ce nom, tant que cet arbre est montré</translation>
    </message>
    <message>
        <source>Select these</source>
        <translation>Les sélectionner</translation>
    </message>
    <message>
        <source>Restore the selection of this name; with Ctrl add it, with Shift keep only the components in both</source>
        <translation>Rétablir la sélection de ce nom ; avec Ctrl l&apos;ajouter, avec Maj ne garder que les composantes des deux</translation>
    </message>
    <message>
        <source>Forget the name</source>
        <translation>Oublier le nom</translation>
    </message>
    <message>
        <source>Forget the name; the selection stays</source>
        <translation>Oublier le nom ; la sélection reste</translation>
    </message>
    <message>
        <source>Selected</source>
        <translation>Sélectionnées</translation>
    </message>
    <message>
        <source>Statistics</source>
        <translation>Statistiques</translation>
    </message>
    <message>
        <source>Named selections</source>
        <translation>Sélections nommées</translation>
    </message>
    <message>
        <source>&amp;Mask (TIFF)…</source>
        <translation>&amp;Masque (TIFF)…</translation>
    </message>
    <message>
        <source>&amp;Table (CSV)…</source>
        <translation>&amp;Tableau (CSV)…</translation>
    </message>
    <message>
        <source>Select</source>
        <translation>Sélectionner</translation>
    </message>
    <message>
        <source>Name of the selection</source>
        <translation>Nom de la sélection</translation>
    </message>
    <message>
        <source>Return keeps the selection under this name</source>
        <translation>Entrée garde la sélection sous ce nom</translation>
    </message>
    <message>
        <source>Named selections; a click restores one</source>
        <translation>Sélections nommées ; un clic en rétablit une</translation>
    </message>
    <message>
        <source>Nothing. Add the current component, select kept or removed components, or draw a lasso in the attribute plane.</source>
        <translation>Rien. Ajoutez la composante courante, sélectionnez les composantes gardées ou retirées, ou tracez un lasso dans le plan des attributs.</translation>
    </message>
    <message>
        <source>Empty the selection; named selections stay</source>
        <translation>Vider la sélection ; les sélections nommées restent</translation>
    </message>
</context>
<context>
    <name>pollard::app::SeriesDialog</name>
    <message>
        <source>Description</source>
        <translation>Description</translation>
    </message>
    <message>
        <source>Voxels</source>
        <translation>Voxels</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>Fichiers</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Taille</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>Dossier</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Progression</translation>
    </message>
    <message>
        <source>1 image</source>
        <translation>1 image</translation>
    </message>
    <message>
        <source>%1 images</source>
        <translation>%1 images</translation>
    </message>
    <message>
        <source>Images in %1</source>
        <translation>Images dans %1</translation>
    </message>
    <message>
        <source>Image</source>
        <translation>Image</translation>
    </message>
    <message>
        <source>Images</source>
        <translation>Images</translation>
    </message>
    <message>
        <source>OME-Zarr, DICOM series and other images in folders and their folders; a double-click opens one</source>
        <translation>OME-Zarr, séries DICOM et autres images des dossiers et de leurs sous-dossiers ; un double-clic en ouvre une</translation>
    </message>
    <message>
        <source>&amp;Apply steps to all…</source>
        <translation>&amp;Appliquer les étapes à toutes…</translation>
    </message>
    <message>
        <source>Apply steps to all</source>
        <translation>Appliquer les étapes à toutes</translation>
    </message>
    <message>
        <source>Batch: do the same with all of these images</source>
        <translation>Par lots : faire la même chose avec toutes ces images</translation>
    </message>
    <message>
        <source>Looking for images…</source>
        <translation>Recherche d&apos;images…</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is a folder. Open one of its files.</source>
        <translation>« %1 » est un dossier. Ouvrez un de ses fichiers.</translation>
    </message>
    <message>
        <source>The first %1 of %2 images are listed.</source>
        <translation>Les %1 premières des %2 images sont affichées.</translation>
    </message>
    <message>
        <source>Images in %1 files and folders</source>
        <translation>Images de %1 fichiers et dossiers</translation>
    </message>
    <message>
        <source>None of these files has the name of an image.</source>
        <translation>Aucun de ces fichiers n&apos;a le nom d&apos;une image.</translation>
    </message>
</context>
<context>
    <name>pollard::app::SpectrumChart</name>
    <message>
        <source>Pattern spectrum</source>
        <translation>Spectre des formes</translation>
    </message>
    <message>
        <source>Bars: share of the grey mass (contrast × area, over all components) in components of this size. Line: share of all below. Click a bar, or drag over several, to keep just these components.</source>
        <translation>Barres : part de la masse de gris (contraste × aire, sur toutes les composantes) dans les composantes de cette taille. Ligne : part de tout ce qui est au-dessous. Cliquez une barre, ou glissez sur plusieurs, pour ne garder que ces composantes.</translation>
    </message>
    <message>
        <source>Measuring …</source>
        <translation>Mesure en cours…</translation>
    </message>
    <message>
        <source>The image has one grey level: it has no components to measure.</source>
        <translation>L&apos;image a un seul niveau de gris : elle n&apos;a pas de composantes à mesurer.</translation>
    </message>
</context>
<context>
    <name>pollard::app::SpectrumPanel</name>
    <message>
        <source>&amp;Logarithmic</source>
        <translation>&amp;Logarithmique</translation>
    </message>
    <message>
        <source>Attribute of the spectrum</source>
        <translation>Attribut du spectre</translation>
    </message>
    <message>
        <source>Logarithmic bins</source>
        <translation>Classes logarithmiques</translation>
    </message>
    <message>
        <source>Bins of equal ratios instead of equal widths. Attributes that can be negative have none</source>
        <translation>Classes de rapports égaux au lieu de largeurs égales. Les attributs qui peuvent être négatifs n&apos;en ont pas</translation>
    </message>
    <message>
        <source>&amp;Bins</source>
        <translation>&amp;Classes</translation>
    </message>
    <message>
        <source>Number of bins</source>
        <translation>Nombre de classes</translation>
    </message>
    <message>
        <source>Number of bars; whole numbers may leave fewer</source>
        <translation>Nombre de barres ; des nombres entiers peuvent en laisser moins</translation>
    </message>
</context>
<context>
    <name>pollard::app::StackControls</name>
    <message>
        <source>Axes…</source>
        <translation>Axes…</translation>
    </message>
    <message>
        <source>Axes of the pages</source>
        <translation>Axes des pages</translation>
    </message>
    <message>
        <source>State which pages are channels, slices and times. The file does not state it</source>
        <translation>Indiquer quelles pages sont des canaux, des coupes et des temps. Le fichier ne l’indique pas</translation>
    </message>
    <message>
        <source>From the slowest to the fastest, with the number of positions:
t (times), z (slices), c (channels), as in t3z5c2 or tz5.
Leave it empty for plain pages.</source>
        <translation>Du plus lent au plus rapide, avec le nombre de positions :
t (temps), z (coupes), c (canaux), comme t3z5c2 ou tz5.
Laisser vide pour de simples pages.</translation>
    </message>
    <message>
        <source>Page Up and Page Down</source>
        <translation>Page préc. et Page suiv.</translation>
    </message>
    <message>
        <source>comma and full stop</source>
        <translation>virgule et point</translation>
    </message>
    <message>
        <source>square brackets</source>
        <translation>crochets</translation>
    </message>
    <message>
        <source>Pages keep their trees after they were shown, so that going back takes no time; the preferences set the memory for it</source>
        <translation>Les pages gardent leurs arbres après avoir été montrées, pour qu&apos;y revenir ne prenne pas de temps ; les préférences règlent la mémoire pour cela</translation>
    </message>
    <message>
        <source>%1: name of the position</source>
        <translation>%1 : nom de la position</translation>
    </message>
    <message>
        <source>Position along %1 (%2)</source>
        <translation>Position le long de %1 (%2)</translation>
    </message>
    <message>
        <source> of %1</source>
        <translation> sur %1</translation>
    </message>
    <message>
        <source>Play %1</source>
        <translation>Jouer %1</translation>
    </message>
    <message>
        <source>Show one position after the other, again and again</source>
        <translation>Montrer une position après l&apos;autre, sans fin</translation>
    </message>
    <message>
        <source>1 other page kept ready, %1</source>
        <translation>1 autre page gardée prête, %1</translation>
    </message>
    <message>
        <source>%1 other pages kept ready, %2</source>
        <translation>%1 autres pages gardées prêtes, %2</translation>
    </message>
    <message>
        <source>As a volume</source>
        <translation>En volume</translation>
    </message>
    <message>
        <source>As pages</source>
        <translation>En pages</translation>
    </message>
    <message>
        <source>Slices</source>
        <translation>Coupes</translation>
    </message>
    <message>
        <source>Maximum</source>
        <translation>Maximum</translation>
    </message>
    <message>
        <source>Minimum</source>
        <translation>Minimum</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>Moyenne</translation>
    </message>
    <message>
        <source>Sharpest</source>
        <translation>La plus nette</translation>
    </message>
    <message>
        <source>A volume has one tree of all slices, and a filter works on the whole volume; pages are images with a tree each; a projection makes one image of the slices: of the largest, smallest or mean value at each pixel, or the sharpest slice. The next file with slices opens in the same way</source>
        <translation>Un volume a un seul arbre de toutes les coupes, et un filtre agit sur toutes ; les pages sont des images ayant chacune un arbre ; une projection fait une image des coupes : la plus grande valeur, la plus petite ou la moyenne en chaque pixel, ou la coupe la plus nette. Le prochain fichier avec des coupes s’ouvre de la même façon</translation>
    </message>
    <message>
        <source>all</source>
        <translation>toutes</translation>
    </message>
</context>
<context>
    <name>pollard::app::StainControls</name>
    <message>
        <source>Stains of the image</source>
        <translation>Colorations de l&apos;image</translation>
    </message>
    <message>
        <source>Drag a small rectangle over a place where only the chosen stain is, or click on it. The background is white unless you pick it. Esc: end</source>
        <translation>Tracez un petit rectangle sur un endroit où seule la coloration choisie est présente, ou cliquez dessus. Le fond est blanc si vous ne le prélevez pas. Échap : terminer</translation>
    </message>
    <message>
        <source>Separate stains</source>
        <translation>Séparer les colorations</translation>
    </message>
    <message>
        <source>Show the amount of the first stain by colour deconvolution; the other stain is in the list of channels</source>
        <translation>Afficher la quantité de la première coloration par déconvolution de couleur ; l&apos;autre figure dans la liste des canaux</translation>
    </message>
    <message>
        <source>End</source>
        <translation>Terminer</translation>
    </message>
    <message>
        <source>End picking stains</source>
        <translation>Terminer le prélèvement des colorations</translation>
    </message>
    <message>
        <source>The channel stays as it is</source>
        <translation>Le canal reste tel quel</translation>
    </message>
    <message>
        <source>Background</source>
        <translation>Fond</translation>
    </message>
    <message>
        <source>Stain %1</source>
        <translation>Coloration %1</translation>
    </message>
    <message>
        <source>The next place on the image is taken for this</source>
        <translation>Le prochain endroit de l&apos;image est prélevé pour cet élément</translation>
    </message>
    <message>
        <source>Mean colour of %1</source>
        <translation>Couleur moyenne de %1</translation>
    </message>
    <message>
        <source>Vector of %1</source>
        <translation>Vecteur de %1</translation>
    </message>
    <message>
        <source>Optical densities of red, green and blue, of length 1</source>
        <translation>Densités optiques du rouge, du vert et du bleu, de longueur 1</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Nom</translation>
    </message>
    <message>
        <source>Name of stain %1</source>
        <translation>Nom de la coloration %1</translation>
    </message>
    <message>
        <source>Name of the channel, for example DAB</source>
        <translation>Nom du canal, par exemple DAB</translation>
    </message>
    <message>
        <source>white</source>
        <translation>blanc</translation>
    </message>
</context>
<context>
    <name>pollard::app::StatusLine</name>
    <message>
        <source>Pixel under the pointer</source>
        <translation>Pixel sous le pointeur</translation>
    </message>
    <message>
        <source>Place, value before and after the filter, node of the tree, its grey level and its area</source>
        <translation>Endroit, valeur avant et après le filtre, nœud de l&apos;arbre, son niveau de gris et son aire</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Progression</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Annuler</translation>
    </message>
    <message>
        <source>Stop the job; the shown image stays</source>
        <translation>Arrêter le travail ; l&apos;image montrée reste</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>Moteur</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Temps</translation>
    </message>
    <message>
        <source>Time of the last filtering</source>
        <translation>Temps du dernier filtrage</translation>
    </message>
    <message>
        <source>Time to screen</source>
        <translation>Temps jusqu&apos;à l&apos;écran</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Mémoire</translation>
    </message>
    <message>
        <source>Memory that Pollard uses</source>
        <translation>Mémoire que Pollard utilise</translation>
    </message>
    <message>
        <source>Zoom</source>
        <translation>Zoom</translation>
    </message>
    <message>
        <source>Pixels of the screen per pixel of the image</source>
        <translation>Pixels de l&apos;écran par pixel de l&apos;image</translation>
    </message>
    <message>
        <source>Point at the image to read its values</source>
        <translation>Pointez l&apos;image pour lire ses valeurs</translation>
    </message>
    <message>
        <source>value %1</source>
        <translation>valeur %1</translation>
    </message>
    <message>
        <source>value %1 → %2</source>
        <translation>valeur %1 → %2</translation>
    </message>
    <message>
        <source>no data</source>
        <translation>sans données</translation>
    </message>
    <message>
        <source>node %1</source>
        <translation>nœud %1</translation>
    </message>
    <message>
        <source>area %1 px</source>
        <translation>aire %1 px</translation>
    </message>
    <message>
        <source>Earlier filters</source>
        <translation>Filtres précédents</translation>
    </message>
    <message>
        <source>volume %1 voxels</source>
        <translation>volume %1 voxels</translation>
    </message>
    <message>
        <source>In the patient: distances of the voxel&apos;s centre from the origin of the file, to the right (R) or left (L), to anterior (A) or posterior (P), to superior (S) or inferior (I)</source>
        <translation>Dans le patient : distances du centre du voxel à l’origine du fichier, vers la droite (R) ou la gauche (L), vers l’avant (A) ou l’arrière (P), vers le haut (S) ou le bas (I)</translation>
    </message>
    <message>
        <source>Status line</source>
        <translation>Ligne d&apos;état</translation>
    </message>
</context>
<context>
    <name>pollard::app::Tour</name>
    <message>
        <source>&amp;Back</source>
        <translation>Ret&amp;our</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Retour</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>Suivant</translation>
    </message>
    <message>
        <source>End</source>
        <translation>Terminer</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 sur %2</translation>
    </message>
    <message>
        <source>&amp;Next</source>
        <translation>&amp;Suivant</translation>
    </message>
    <message>
        <source>&amp;Done</source>
        <translation>&amp;Terminé</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Fait</translation>
    </message>
    <message>
        <source>&amp;Do it</source>
        <translation>&amp;Le faire</translation>
    </message>
    <message>
        <source>Do it</source>
        <translation>Le faire</translation>
    </message>
    <message>
        <source>Let the tour do this step; Undo takes it back</source>
        <translation>Laisser la visite faire cette étape ; Annuler revient en arrière</translation>
    </message>
    <message>
        <source>To the previous step</source>
        <translation>À l&apos;étape précédente</translation>
    </message>
    <message>
        <source>To the next step; the last one ends the tour</source>
        <translation>À l&apos;étape suivante ; la dernière termine la visite</translation>
    </message>
    <message>
        <source>End the tour (Esc); Help &gt; Tour starts it again</source>
        <translation>Terminer la visite (Échap) ; Aide &gt; Visite la recommence</translation>
    </message>
</context>
<context>
    <name>pollard::app::TracksPanel</name>
    <message>
        <source>Follo&amp;w over the pages</source>
        <translation>S&amp;uivre au fil des pages</translation>
    </message>
    <message>
        <source>Stop following</source>
        <translation>Arrêter le suivi</translation>
    </message>
    <message>
        <source>Stop following the objects</source>
        <translation>Arrêter le suivi des objets</translation>
    </message>
    <message>
        <source>Save the tracks</source>
        <translation>Enregistrer les trajectoires</translation>
    </message>
    <message>
        <source>Write a line for every object of every page: page, track, and all features in px (CSV)</source>
        <translation>Écrire une ligne pour chaque objet de chaque page : page, trajectoire et toutes les grandeurs en px (CSV)</translation>
    </message>
    <message>
        <source>Following objects</source>
        <translation>Suivi des objets</translation>
    </message>
    <message>
        <source>Tracks</source>
        <translation>Trajectoires</translation>
    </message>
    <message>
        <source>Click a row to see its track in the image; double-click shows the page on which it begins</source>
        <translation>Cliquez une ligne pour voir sa trajectoire dans l&apos;image ; un double-clic montre la page où elle commence</translation>
    </message>
    <message>
        <source>The objects could not be followed: %1</source>
        <translation>Les objets n&apos;ont pas pu être suivis : %1</translation>
    </message>
    <message>
        <source>Following objects…</source>
        <translation>Suivi des objets…</translation>
    </message>
    <message>
        <source>Objects that overlap objects of the previous page continue their tracks.</source>
        <translation>Les objets qui recouvrent ceux de la page précédente continuent leur trajectoire.</translation>
    </message>
    <message>
        <source>Show the slices as &amp;pages</source>
        <translation>Montrer les coupes en &amp;pages</translation>
    </message>
    <message>
        <source>Show the slices as pages</source>
        <translation>Montrer les coupes en pages</translation>
    </message>
    <message>
        <source>Objects are followed over time or pages: open the slices of this volume as pages</source>
        <translation>Les objets sont suivis dans le temps ou sur les pages : ouvrir les coupes de ce volume en pages</translation>
    </message>
    <message>
        <source>Follo&amp;w over time</source>
        <translation>S&amp;uivre dans le temps</translation>
    </message>
    <message>
        <source>Follo&amp;w over the slices</source>
        <translation>S&amp;uivre sur les coupes</translation>
    </message>
    <message>
        <source>Follow the objects</source>
        <translation>Suivre les objets</translation>
    </message>
    <message>
        <source>Find the objects of every page with this threshold, and follow objects that overlap. If the file has a time axis, these are the pages of the shown channel and slice; otherwise all pages, or all slices. Objects that do not meet the condition of the table, or are left out at the border, are not followed</source>
        <translation>Trouver les objets de chaque page avec ce seuil, et suivre ceux qui se recouvrent. Si le fichier a un axe du temps, les pages sont celles du canal et de la coupe montrés ; sinon toutes les pages, ou toutes les coupes. Les objets qui ne remplissent pas la condition du tableau, ou sont omis au bord, ne sont pas suivis</translation>
    </message>
</context>
<context>
    <name>pollard::app::TreeTableDialog</name>
    <message>
        <source>Table of components</source>
        <translation>Tableau des composantes</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>Colonnes</translation>
    </message>
    <message>
        <source>&amp;All</source>
        <translation>&amp;Toutes</translation>
    </message>
    <message>
        <source>Tick all attributes</source>
        <translation>Cocher tous les attributs</translation>
    </message>
    <message>
        <source>&amp;Measured now</source>
        <translation>&amp;Mesurées</translation>
    </message>
    <message>
        <source>Tick the attributes that are measured already</source>
        <translation>Cocher les attributs déjà mesurés</translation>
    </message>
    <message>
        <source>&amp;None</source>
        <translation>&amp;Aucune</translation>
    </message>
    <message>
        <source>Tick no attribute</source>
        <translation>Ne cocher aucun attribut</translation>
    </message>
    <message>
        <source>Rows</source>
        <translation>Lignes</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>Enregistrer…</translation>
    </message>
    <message>
        <source>Columns of the table</source>
        <translation>Colonnes du tableau</translation>
    </message>
    <message>
        <source>Attributes of the table. Number, parent, level and canonical pixel of a component are always in it.</source>
        <translation>Attributs du tableau. Le numéro, le parent, le niveau et le pixel canonique d&apos;une composante y sont toujours.</translation>
    </message>
    <message>
        <source>A&amp;ll %1 components</source>
        <translation>Les %1 composantes, t&amp;outes</translation>
    </message>
    <message>
        <source>Every component of the tree, the root included</source>
        <translation>Toutes les composantes de l&apos;arbre, racine comprise</translation>
    </message>
    <message>
        <source>The &amp;selection: %1</source>
        <translation>La &amp;sélection : %1</translation>
    </message>
    <message>
        <source>The selected components, see the Selection panel</source>
        <translation>Les composantes sélectionnées, voir le panneau Sélection</translation>
    </message>
    <message>
        <source>&amp;Kept by the filter</source>
        <translation>&amp;Gardées par le filtre</translation>
    </message>
    <message>
        <source>Components that the present filter keeps</source>
        <translation>Composantes que le filtre actuel garde</translation>
    </message>
    <message>
        <source>%1 attributes, all measured</source>
        <translation>%1 attributs, tous mesurés</translation>
    </message>
    <message>
        <source>%1 attributes, %2 to be measured first</source>
        <translation>%1 attributs, dont %2 à mesurer d&apos;abord</translation>
    </message>
</context>
<context>
    <name>pollard::app::TuneChart</name>
    <message>
        <source>F1 of the values</source>
        <translation>F1 des valeurs</translation>
    </message>
    <message>
        <source>Click a point, or go there with the arrow keys and press Return, to take its values</source>
        <translation>Cliquer sur un point, ou y aller avec les flèches et appuyer sur Entrée, pour prendre ses valeurs</translation>
    </message>
    <message>
        <source>F1</source>
        <translation>F1</translation>
    </message>
</context>
<context>
    <name>pollard::app::TuneDialog</name>
    <message>
        <source>Threshold of objects</source>
        <translation>Seuil des objets</translation>
    </message>
    <message>
        <source>Sigmas above the background</source>
        <translation>Sigmas au-dessus du fond</translation>
    </message>
    <message>
        <source>Box of the background</source>
        <translation>Boîte du fond</translation>
    </message>
    <message>
        <source>Size of the best components</source>
        <translation>Taille des meilleures composantes</translation>
    </message>
    <message>
        <source>Strictness of the best components</source>
        <translation>Sévérité des meilleures composantes</translation>
    </message>
    <message>
        <source>Least seed of the watershed</source>
        <translation>Plus petit germe de la ligne de partage des eaux</translation>
    </message>
    <message>
        <source>Cut of the hierarchy</source>
        <translation>Coupe de la hiérarchie</translation>
    </message>
    <message>
        <source>Regions of the hierarchy</source>
        <translation>Régions de la hiérarchie</translation>
    </message>
    <message>
        <source>Strength of the split</source>
        <translation>Force de la séparation</translation>
    </message>
    <message>
        <source>Filter: %1</source>
        <translation>Filtre : %1</translation>
    </message>
    <message>
        <source>Try the values</source>
        <translation>Essayer les valeurs</translation>
    </message>
    <message>
        <source>Find the objects with each value, and compare them with the truth</source>
        <translation>Trouver les objets avec chaque valeur, et les comparer à la vérité</translation>
    </message>
    <message>
        <source>Tune numbers</source>
        <translation>Régler des nombres</translation>
    </message>
    <message>
        <source>Each value is tried on the open image, and on the images of its folder that have a file of the truth. A click on the chart takes the values; Ctrl+Z takes that back.</source>
        <translation>Chaque valeur est essayée sur l’image ouverte, et sur les images de son dossier qui ont un fichier de vérité. Un clic sur le graphique prend les valeurs ; Ctrl+Z revient en arrière.</translation>
    </message>
    <message>
        <source>Progress of the values</source>
        <translation>Avancement des valeurs</translation>
    </message>
    <message>
        <source>Number</source>
        <translation>Nombre</translation>
    </message>
    <message>
        <source>From</source>
        <translation>De</translation>
    </message>
    <message>
        <source>To</source>
        <translation>À</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>Valeurs</translation>
    </message>
    <message>
        <source>%1. Taken.</source>
        <translation>%1. C’est pris.</translation>
    </message>
    <message>
        <source>Number to tune</source>
        <translation>Nombre à régler</translation>
    </message>
    <message>
        <source>Second number to tune</source>
        <translation>Second nombre à régler</translation>
    </message>
    <message>
        <source>The number of the recipe whose values are tried</source>
        <translation>Le nombre de la recette dont les valeurs sont essayées</translation>
    </message>
    <message>
        <source>A second number: all pairs of values are tried, and the chart is a map</source>
        <translation>Un second nombre : toutes les paires de valeurs sont essayées, et le graphique est une carte</translation>
    </message>
    <message>
        <source>First value</source>
        <translation>Première valeur</translation>
    </message>
    <message>
        <source>The first value that is tried</source>
        <translation>La première valeur essayée</translation>
    </message>
    <message>
        <source>Last value</source>
        <translation>Dernière valeur</translation>
    </message>
    <message>
        <source>The last value that is tried</source>
        <translation>La dernière valeur essayée</translation>
    </message>
    <message>
        <source>Number of values</source>
        <translation>Nombre de valeurs</translation>
    </message>
    <message>
        <source>How many values are tried, equally far apart</source>
        <translation>Combien de valeurs sont essayées, à intervalles égaux</translation>
    </message>
    <message>
        <source>No second number</source>
        <translation>Pas de second nombre</translation>
    </message>
    <message>
        <source>%1 = %2</source>
        <translation>%1 = %2</translation>
    </message>
    <message>
        <source>%1 at %2</source>
        <translation>%1 à %2</translation>
    </message>
    <message>
        <source>%1: F1 %2</source>
        <translation>%1 : F1 %2</translation>
    </message>
    <message>
        <source>Highest: %1</source>
        <translation>Maximum : %1</translation>
    </message>
    <message>
        <source>%1, on one image, which chose the values. Their F1 on other images is not known: give the truth of other images of the folder a name with {stem}.</source>
        <translation>%1, sur une image, qui a choisi les valeurs. Leur F1 sur d’autres images n’est pas connu : donner à la vérité d’autres images du dossier un nom avec {stem}.</translation>
    </message>
    <message>
        <source>%1, on %2 images. Cross-validated, on images that did not choose the values: F1 %3 (parts: %4).</source>
        <translation>%1, sur %2 images. Validation croisée, sur des images qui n’ont pas choisi les valeurs : F1 %3 (parties : %4).</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Annuler</translation>
    </message>
    <message>
        <source>The recipe has no number to tune. Choose a threshold, a way to find objects, or a criterion of the filter first.</source>
        <translation>La recette n’a pas de nombre à régler. Choisir d’abord un seuil, une façon de trouver les objets, ou un critère du filtre.</translation>
    </message>
</context>
<context>
    <name>pollard::app::ValueRangeControls</name>
    <message>
        <source>Values and levels</source>
        <translation>Valeurs et niveaux</translation>
    </message>
    <message>
        <source>Values of the file</source>
        <translation>Valeurs du fichier</translation>
    </message>
    <message>
        <source>Smallest and largest value of the page</source>
        <translation>Plus petite et plus grande valeur de la page</translation>
    </message>
    <message>
        <source>Values of the levels</source>
        <translation>Valeurs des niveaux</translation>
    </message>
    <message>
        <source>The first and the last level and their values</source>
        <translation>Le premier et le dernier niveau et leurs valeurs</translation>
    </message>
    <message>
        <source>Values without a level of their own</source>
        <translation>Valeurs sans niveau à elles</translation>
    </message>
    <message>
        <source>NaN pixels take no part; infinite and clipped ones have the last level</source>
        <translation>Les pixels NaN ne prennent pas part ; les infinis et les écrêtés ont le dernier niveau</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>Automatique</translation>
    </message>
    <message>
        <source>Smallest to largest</source>
        <translation>De la plus petite à la plus grande</translation>
    </message>
    <message>
        <source>Percentiles</source>
        <translation>Centiles</translation>
    </message>
    <message>
        <source>Fixed values</source>
        <translation>Valeurs fixes</translation>
    </message>
    <message>
        <source>Range of values</source>
        <translation>Étendue des valeurs</translation>
    </message>
    <message>
        <source>Which values become the first and the last level</source>
        <translation>Quelles valeurs deviennent le premier et le dernier niveau</translation>
    </message>
    <message>
        <source>Low end</source>
        <translation>Extrémité basse</translation>
    </message>
    <message>
        <source>Becomes the first level</source>
        <translation>Devient le premier niveau</translation>
    </message>
    <message>
        <source>High end</source>
        <translation>Extrémité haute</translation>
    </message>
    <message>
        <source>Becomes the last level</source>
        <translation>Devient le dernier niveau</translation>
    </message>
    <message>
        <source>to</source>
        <translation>à</translation>
    </message>
    <message>
        <source>Use this range for all pages</source>
        <translation>Utiliser cette étendue pour toutes les pages</translation>
    </message>
    <message>
        <source>The same value is the same level on every page then</source>
        <translation>La même valeur est alors le même niveau sur chaque page</translation>
    </message>
    <message>
        <source>Values %1</source>
        <translation>Valeurs %1</translation>
    </message>
    <message>
        <source>Levels %1</source>
        <translation>Niveaux %1</translation>
    </message>
    <message>
        <source>Map from smallest to largest</source>
        <translation>Répartir de la plus petite à la plus grande</translation>
    </message>
    <message>
        <source>Reads the image with levels at equal distances of values; the Image panel has this and other ranges</source>
        <translation>Lit l&apos;image avec des niveaux à égales distances de valeurs ; le panneau Image propose cette plage et d&apos;autres</translation>
    </message>
</context>
<context>
    <name>pollard::app::ViewExporter</name>
    <message>
        <source>There is not enough memory.</source>
        <translation>Il n&apos;y a pas assez de mémoire.</translation>
    </message>
</context>
<context>
    <name>pollard::app::VolumeViews</name>
    <message>
        <source>This image has no slices. Open a volume to see it from three sides and in space.</source>
        <translation>Cette image n’a pas de coupes. Ouvrez un volume pour le voir de trois côtés et dans l’espace.</translation>
    </message>
    <message>
        <source>3D view</source>
        <translation>Vue 3D</translation>
    </message>
    <message>
        <source>Enlarge this view</source>
        <translation>Agrandir cette vue</translation>
    </message>
    <message>
        <source>Show this view alone, or all four again (also by a double click in the view)</source>
        <translation>Montrer cette vue seule, ou de nouveau les quatre (aussi par un double-clic dans la vue)</translation>
    </message>
    <message>
        <source>3D</source>
        <translation>3D</translation>
    </message>
    <message>
        <source>Section %1</source>
        <translation>Coupe %1</translation>
    </message>
    <message>
        <source>A drag or an arrow key moves the cross hair, the wheel goes through the volume, with Ctrl it zooms</source>
        <translation>Un glissement ou une flèche déplace la croix, la molette parcourt le volume, avec Ctrl elle zoome</translation>
    </message>
</context>
<context>
    <name>pollard::app::WelcomePage</name>
    <message>
        <source>Open an image, or drop one here</source>
        <translation>Ouvrez une image, ou déposez-en une ici</translation>
    </message>
    <message>
        <source>Open image…</source>
        <translation>Ouvrir une image…</translation>
    </message>
    <message>
        <source>Open image</source>
        <translation>Ouvrir une image</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>Récents</translation>
    </message>
    <message>
        <source>Open %1</source>
        <translation>Ouvrir %1</translation>
    </message>
    <message>
        <source>First steps</source>
        <translation>Premiers pas</translation>
    </message>
    <message>
        <source>Kept work</source>
        <translation>Travail conservé</translation>
    </message>
    <message>
        <source>Continue %1: %2</source>
        <translation>Continuer %1 : %2</translation>
    </message>
    <message>
        <source>Continue %1, kept on %2</source>
        <translation>Reprendre %1, conservé le %2</translation>
    </message>
    <message>
        <source>Discard the work on %1</source>
        <translation>Abandonner le travail sur %1</translation>
    </message>
    <message>
        <source>Discard this work; the image stays</source>
        <translation>Abandonner ce travail ; l&apos;image reste</translation>
    </message>
    <message>
        <source>Try a sample</source>
        <translation>Essayer un exemple</translation>
    </message>
    <message>
        <source>First steps: six tutorials</source>
        <translation>Premiers pas : six tutoriels</translation>
    </message>
</context>
<context>
    <name>pollard::app::WindowLook</name>
    <message>
        <source>The settings are damaged: the places of the panels in the workspace %1 were set aside.</source>
        <translation>Les réglages sont endommagés : la disposition des panneaux de l&apos;espace de travail %1 a été mise de côté.</translation>
    </message>
    <message>
        <source>The settings are damaged: the place of the window was set aside.</source>
        <translation>Les réglages sont endommagés : la position de la fenêtre a été mise de côté.</translation>
    </message>
    <message>
        <source>The last start failed: the places of the window and its panels were set aside.</source>
        <translation>Le dernier démarrage a échoué : la position de la fenêtre et la disposition des panneaux ont été mises de côté.</translation>
    </message>
    <message>
        <source>Settings of the window</source>
        <translation>Réglages de la fenêtre</translation>
    </message>
    <message>
        <source>The settings file is damaged and was set aside as %1.</source>
        <translation>Le fichier des réglages est endommagé et a été mis de côté sous %1.</translation>
    </message>
</context>
<context>
    <name>pollard::app::Workspaces</name>
    <message>
        <source>&amp;Reset this workspace</source>
        <translation>&amp;Rétablir cet espace de travail</translation>
    </message>
    <message>
        <source>Place the panels of this workspace as they were at first</source>
        <translation>Replacer les panneaux de cet espace comme au début</translation>
    </message>
    <message>
        <source>Workspaces</source>
        <translation>Espaces de travail</translation>
    </message>
</context>
<context>
    <name>pollard::vm::AttributeCatalogue</name>
    <message>
        <source>Increasing: a component never has less than one inside it, so all rules agree</source>
        <translation>Croissant : une composante n&apos;en a jamais moins qu&apos;une qu&apos;elle contient, donc toutes les règles s&apos;accordent</translation>
    </message>
    <message>
        <source>Not increasing: rules treat components inside removed ones differently</source>
        <translation>Non croissant : les règles traitent différemment les composantes contenues dans des composantes retirées</translation>
    </message>
    <message>
        <source>Source: %1</source>
        <translation>Source : %1</translation>
    </message>
</context>
<context>
    <name>pollard::vm::AttributeHistogramViewModel</name>
    <message>
        <source>%1 to %2</source>
        <translation>de %1 à %2</translation>
    </message>
    <message>
        <source>%1: 1 component</source>
        <translation>%1 : 1 composante</translation>
    </message>
    <message>
        <source>%1: %2 components</source>
        <translation>%1 : %2 composantes</translation>
    </message>
    <message>
        <source>%1 components</source>
        <translation>%1 composantes</translation>
    </message>
    <message>
        <source>%1, %2 without a value</source>
        <translation>%1, dont %2 sans valeur</translation>
    </message>
</context>
<context>
    <name>pollard::vm::AttributePlaneViewModel</name>
    <message>
        <source>Removed: %1</source>
        <translation>Retirées : %1</translation>
    </message>
    <message>
        <source>Kept: %1</source>
        <translation>Gardées : %1</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>%1, of which %2 have no place here</source>
        <translation>%1, dont %2 sans place ici</translation>
    </message>
</context>
<context>
    <name>pollard::vm::BatchViewModel</name>
    <message>
        <source>File</source>
        <translation>Fichier</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>État</translation>
    </message>
    <message>
        <source>Nodes kept</source>
        <translation>Nœuds conservés</translation>
    </message>
    <message>
        <source>Objects</source>
        <translation>Objets</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Résultat</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>En attente</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Terminé</translation>
    </message>
    <message>
        <source>Up to date</source>
        <translation>À jour</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>Échec</translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation>Annulé</translation>
    </message>
    <message>
        <source>%1 of %2 files ended</source>
        <translation>%1 sur %2 fichiers terminés</translation>
    </message>
    <message>
        <source>1 file</source>
        <translation>1 fichier</translation>
    </message>
    <message>
        <source>%1 files</source>
        <translation>%1 fichiers</translation>
    </message>
    <message>
        <source>%1 done</source>
        <translation>%1 terminés</translation>
    </message>
    <message>
        <source>%1 up to date</source>
        <translation>%1 à jour</translation>
    </message>
    <message>
        <source>%1 failed</source>
        <translation>%1 en échec</translation>
    </message>
    <message>
        <source>%1 cancelled</source>
        <translation>%1 annulés</translation>
    </message>
    <message>
        <source>There is no image in this folder.</source>
        <translation>Il n&apos;y a aucune image dans ce dossier.</translation>
    </message>
    <message>
        <source>In the volume</source>
        <translation>Dans le volume</translation>
    </message>
</context>
<context>
    <name>pollard::vm::BestLearning</name>
    <message>
        <source>No candidate is left to ask about</source>
        <translation>Il ne reste aucun candidat à demander</translation>
    </message>
</context>
<context>
    <name>pollard::vm::ChainViewModel</name>
    <message>
        <source>Component %1 of %2 around the pixel: level %3, %4 px</source>
        <translation>Composante %1 sur %2 autour du pixel : niveau %3, %4 px</translation>
    </message>
    <message>
        <source>Removed by hand</source>
        <translation>Supprimée à la main</translation>
    </message>
    <message>
        <source>Kept by hand</source>
        <translation>Conservée à la main</translation>
    </message>
    <message>
        <source>%1 (it has %2)</source>
        <translation>%1 (elle a %2)</translation>
    </message>
    <message>
        <source>, </source>
        <comment>between criteria</comment>
        <translation>, </translation>
    </message>
    <message>
        <source>Removed: %1</source>
        <translation>Supprimée : %1</translation>
    </message>
    <message>
        <source>Criteria not met: %1</source>
        <translation>Critères non satisfaits : %1</translation>
    </message>
    <message>
        <source>Kept: meets the criteria</source>
        <translation>Conservée : satisfait aux critères</translation>
    </message>
    <message>
        <source>Meets the criteria; the rule or the prominence may remove it</source>
        <translation>Satisfait aux critères ; la règle ou la proéminence peut la supprimer</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>Niveau</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Valeur</translation>
    </message>
    <message>
        <source>Value (%1)</source>
        <translation>Valeur (%1)</translation>
    </message>
    <message>
        <source>Component %1 of %2 around the pixel: value %3, %4 px</source>
        <translation>Composante %1 sur %2 autour du pixel : valeur %3, %4 px</translation>
    </message>
</context>
<context>
    <name>pollard::vm::ChunkFilterViewModel</name>
    <message>
        <source>less than a minute left</source>
        <translation>reste moins d&apos;une minute</translation>
    </message>
    <message>
        <source>about %1 min left</source>
        <translation>reste environ %1 min</translation>
    </message>
    <message>
        <source>about %1 h %2 min left</source>
        <translation>reste environ %1 h %2 min</translation>
    </message>
    <message>
        <source>Another whole image is being filtered.</source>
        <translation>Une autre image entière est en cours de filtrage.</translation>
    </message>
    <message>
        <source>No image is open.</source>
        <translation>Aucune image n&apos;est ouverte.</translation>
    </message>
    <message>
        <source>Volumes cannot be filtered in parts.</source>
        <translation>Les volumes ne peuvent pas être filtrés par parties.</translation>
    </message>
    <message>
        <source>The whole image is open: save its result instead.</source>
        <translation>L&apos;image entière est ouverte : enregistrez plutôt son résultat.</translation>
    </message>
    <message>
        <source>The filter is restricted to a region.</source>
        <translation>Le filtre est limité à une région.</translation>
    </message>
    <message>
        <source>Several filters one after another cannot be applied in parts.</source>
        <translation>Plusieurs filtres l&apos;un après l&apos;autre ne peuvent pas être appliqués par parties.</translation>
    </message>
    <message>
        <source>Components are picked by hand.</source>
        <translation>Des composantes sont choisies à la main.</translation>
    </message>
    <message>
        <source>The filter keeps every component.</source>
        <translation>Le filtre garde toutes les composantes.</translation>
    </message>
    <message>
        <source>%1 cannot be measured in parts.</source>
        <translation>Mesure impossible par parties : %1.</translation>
    </message>
    <message>
        <source>The filter works on a part of the image (%1)</source>
        <translation>Le filtre porte sur une partie de l&apos;image (%1)</translation>
    </message>
    <message>
        <source>Whole image: stopping</source>
        <translation>Image entière : arrêt</translation>
    </message>
    <message>
        <source>Whole image: %1 %</source>
        <translation>Image entière : %1 %</translation>
    </message>
    <message>
        <source>Name a file for the result.</source>
        <translation>Nommez un fichier pour le résultat.</translation>
    </message>
    <message>
        <source>There is no folder %1.</source>
        <translation>Le dossier %1 n&apos;existe pas.</translation>
    </message>
    <message>
        <source>This is a folder.</source>
        <translation>C&apos;est un dossier.</translation>
    </message>
    <message>
        <source>This folder cannot be written to.</source>
        <translation>Impossible d&apos;écrire dans ce dossier.</translation>
    </message>
    <message>
        <source>The image cannot be replaced by its own result.</source>
        <translation>L&apos;image ne peut pas être remplacée par son propre résultat.</translation>
    </message>
    <message>
        <source>The work done so far is kept: choose the same file to continue.</source>
        <translation>Le travail déjà fait est gardé : choisissez le même fichier pour continuer.</translation>
    </message>
    <message>
        <source>There is not enough memory for it.</source>
        <translation>La mémoire ne suffit pas.</translation>
    </message>
    <message>
        <source>The whole image was not filtered</source>
        <translation>L&apos;image entière n&apos;a pas été filtrée</translation>
    </message>
    <message>
        <source>Preview at 1/%1 size. For exact results:</source>
        <translation>Aperçu à 1/%1 de la taille. Pour des résultats exacts :</translation>
    </message>
    <message>
        <source>Preview (%1). For exact results:</source>
        <translation>Aperçu (%1). Pour des résultats exacts :</translation>
    </message>
    <message>
        <source>Each chunk needs %1; this program may use %2. Choose a smaller memory.</source>
        <translation>Chaque morceau demande %1 ; ce programme peut utiliser %2. Choisissez une mémoire plus petite.</translation>
    </message>
</context>
<context>
    <name>pollard::vm::ClassList</name>
    <message>
        <source>Class</source>
        <translation>Classe</translation>
    </message>
    <message>
        <source>Condition</source>
        <translation>Condition</translation>
    </message>
    <message>
        <source>Objects</source>
        <translation>Objets</translation>
    </message>
    <message>
        <source>Class %1</source>
        <translation>Classe %1</translation>
    </message>
    <message>
        <source>by hand</source>
        <translation>à la main</translation>
    </message>
</context>
<context>
    <name>pollard::vm::CompositeViewModel</name>
    <message>
        <source>%1: the filter works on this channel</source>
        <translation>%1 : le filtre porte sur ce canal</translation>
    </message>
    <message>
        <source>Luminance</source>
        <translation>Luminance</translation>
    </message>
</context>
<context>
    <name>pollard::vm::ContourComputing</name>
    <message>
        <source>Open an image first.</source>
        <translation>Ouvrez d&apos;abord une image.</translation>
    </message>
    <message>
        <source>The recorded states fill %1: delete a run to continue.</source>
        <translation>Les états enregistrés remplissent %1 : supprimez une évolution pour continuer.</translation>
    </message>
</context>
<context>
    <name>pollard::vm::ContourExport</name>
    <message>
        <source>The contour was not saved</source>
        <translation>Le contour n&apos;a pas été enregistré</translation>
    </message>
</context>
<context>
    <name>pollard::vm::ContourFollow</name>
    <message>
        <source>Page %1: %2</source>
        <translation>Page %1 : %2</translation>
    </message>
    <message>
        <source>The recorded states fill %1: page %2 and those after it are left out.</source>
        <translation>Les états enregistrés remplissent %1 : la page %2 et les suivantes sont laissées de côté.</translation>
    </message>
    <message>
        <source>page %1, run %2</source>
        <translation>page %1, évolution %2</translation>
    </message>
    <message>
        <source>The pages after this one have their contours of this run already.</source>
        <translation>Les pages suivantes ont déjà leurs contours de cette évolution.</translation>
    </message>
</context>
<context>
    <name>pollard::vm::ContourSeries</name>
    <message>
        <source>Area</source>
        <translation>Aire</translation>
    </message>
    <message>
        <source>Length</source>
        <translation>Longueur</translation>
    </message>
    <message>
        <source>Mean inside</source>
        <translation>Moyenne intérieure</translation>
    </message>
    <message>
        <source>Mean outside</source>
        <translation>Moyenne extérieure</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Temps</translation>
    </message>
    <message>
        <source>Page</source>
        <translation>Page</translation>
    </message>
</context>
<context>
    <name>pollard::vm::ContourSession</name>
    <message>
        <source>Contours of the session end otherwise in this image.</source>
        <translation>Des contours de la session finissent autrement dans cette image.</translation>
    </message>
</context>
<context>
    <name>pollard::vm::ContourViewModel</name>
    <message>
        <source>Gaussian</source>
        <translation>Gaussienne</translation>
    </message>
    <message>
        <source>Poisson</source>
        <translation>Poisson</translation>
    </message>
    <message>
        <source>Gamma</source>
        <translation>Gamma</translation>
    </message>
    <message>
        <source>Rayleigh</source>
        <translation>Rayleigh</translation>
    </message>
    <message>
        <source>There is not enough memory.</source>
        <translation>Il n&apos;y a pas assez de mémoire.</translation>
    </message>
    <message>
        <source>%1: %2, step %3, length %4</source>
        <translation>%1 : %2, pas %3, longueur %4</translation>
    </message>
    <message>
        <source>%1, price %2</source>
        <translation>%1, prix %2</translation>
    </message>
    <message>
        <source>%1; %2</source>
        <translation>%1 ; %2</translation>
    </message>
    <message>
        <source>%1; from run %2 at state %3</source>
        <translation>%1 ; de l&apos;évolution %2 à l&apos;état %3</translation>
    </message>
    <message>
        <source>rectangle</source>
        <translation>rectangle</translation>
    </message>
    <message>
        <source>ellipse</source>
        <translation>ellipse</translation>
    </message>
    <message>
        <source>polygon</source>
        <translation>polygone</translation>
    </message>
    <message>
        <source>No object is selected.</source>
        <translation>Aucun objet n&apos;est sélectionné.</translation>
    </message>
    <message>
        <source>object %1</source>
        <translation>objet %1</translation>
    </message>
    <message>
        <source>The component is not in this tree.</source>
        <translation>La composante n&apos;est pas dans cet arbre.</translation>
    </message>
    <message>
        <source>component</source>
        <translation>composante</translation>
    </message>
    <message>
        <source>The node went back: there the contour would touch or cross itself.</source>
        <translation>Le nœud est revenu : le contour s&apos;y toucherait ou s&apos;y croiserait.</translation>
    </message>
    <message>
        <source>%1 shapes</source>
        <translation>%1 formes</translation>
    </message>
    <message>
        <source>%1 objects</source>
        <translation>%1 objets</translation>
    </message>
    <message>
        <source>No component is selected.</source>
        <translation>Aucune composante n&apos;est sélectionnée.</translation>
    </message>
    <message>
        <source>selection</source>
        <translation>sélection</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>%1, %2 contours</source>
        <translation>%1, %2 contours</translation>
    </message>
    <message>
        <source>The CPU moved the contour: %1</source>
        <translation>Le CPU a déplacé le contour : %1</translation>
    </message>
    <message>
        <source>%1, surroundings of %2 px</source>
        <translation>%1, environs de %2 px</translation>
    </message>
    <message>
        <source>The levels of this image are ranks of its values, which have no means: set the range of values in the Image panel to smallest to largest.</source>
        <translation>Les niveaux de cette image sont les rangs de ses valeurs, qui n&apos;ont pas de moyennes : réglez la plage de valeurs du panneau Image de la plus petite à la plus grande.</translation>
    </message>
    <message>
        <source>Law of the levels by the noise: %1</source>
        <translation>Loi des niveaux d&apos;après le bruit : %1</translation>
    </message>
</context>
<context>
    <name>pollard::vm::CriteriaModel</name>
    <message>
        <source>%1: takes no part</source>
        <translation>%1 : sans effet</translation>
    </message>
    <message>
        <source>%1 (in levels: %2)</source>
        <translation>%1 (en niveaux : %2)</translation>
    </message>
</context>
<context>
    <name>pollard::vm::DocumentActivity</name>
    <message>
        <source>%1: %2</source>
        <translation>%1 : %2</translation>
    </message>
    <message>
        <source>There is not enough memory for it.</source>
        <translation>Il n&apos;y a pas assez de mémoire pour cela.</translation>
    </message>
    <message>
        <source>The reason is unknown.</source>
        <translation>La raison est inconnue.</translation>
    </message>
</context>
<context>
    <name>pollard::vm::DocumentReading</name>
    <message>
        <source>The axes cannot be stated</source>
        <translation>Les axes ne peuvent pas être indiqués</translation>
    </message>
    <message>
        <source>The channel cannot be shown</source>
        <translation>Le canal ne peut pas être montré</translation>
    </message>
    <message>
        <source>%1 (%2 nm)</source>
        <translation>%1 (%2 nm)</translation>
    </message>
    <message>
        <source>Haematoxylin (of H&amp;E)</source>
        <translation>Hématoxyline (de H&amp;E)</translation>
    </message>
    <message>
        <source>Eosin (of H&amp;E)</source>
        <translation>Éosine (de H&amp;E)</translation>
    </message>
    <message>
        <source>Haematoxylin (of H-DAB)</source>
        <translation>Hématoxyline (de H-DAB)</translation>
    </message>
    <message>
        <source>DAB (of H-DAB)</source>
        <translation>DAB (de H-DAB)</translation>
    </message>
    <message>
        <source>Red</source>
        <translation>Rouge</translation>
    </message>
    <message>
        <source>Green</source>
        <translation>Vert</translation>
    </message>
    <message>
        <source>Blue</source>
        <translation>Bleu</translation>
    </message>
    <message>
        <source>Luminance</source>
        <translation>Luminance</translation>
    </message>
    <message>
        <source>Haematoxylin (estimated, Macenko)</source>
        <translation>Hématoxyline (estimée, Macenko)</translation>
    </message>
    <message>
        <source>Eosin (estimated, Macenko)</source>
        <translation>Éosine (estimée, Macenko)</translation>
    </message>
</context>
<context>
    <name>pollard::vm::DocumentSaving</name>
    <message>
        <source>The image was not saved</source>
        <translation>L&apos;image n&apos;a pas été enregistrée</translation>
    </message>
    <message>
        <source>There is no filtered image.</source>
        <translation>Il n&apos;y a pas d&apos;image filtrée.</translation>
    </message>
    <message>
        <source>Saving %1</source>
        <translation>Enregistrement de %1</translation>
    </message>
    <message>
        <source>Filtering all pages into %1</source>
        <translation>Filtrage de toutes les pages vers %1</translation>
    </message>
    <message>
        <source>%1 was not saved</source>
        <translation>%1 n&apos;a pas été enregistré</translation>
    </message>
    <message>
        <source>The image was closed before it was filtered.</source>
        <translation>L&apos;image a été fermée avant d&apos;être filtrée.</translation>
    </message>
</context>
<context>
    <name>pollard::vm::DocumentViewModel</name>
    <message>
        <source>%1 (page %2 of %3)</source>
        <translation>%1 (page %2 sur %3)</translation>
    </message>
    <message>
        <source>Opening %1</source>
        <translation>Ouverture de %1</translation>
    </message>
    <message>
        <source>Building the max-tree</source>
        <translation>Construction du max-tree</translation>
    </message>
    <message>
        <source>Building the min-tree</source>
        <translation>Construction du min-tree</translation>
    </message>
    <message>
        <source>The attribute was not measured</source>
        <translation>L&apos;attribut n&apos;a pas été mesuré</translation>
    </message>
    <message>
        <source>%1 was not opened</source>
        <translation>%1 n&apos;a pas été ouvert</translation>
    </message>
    <message>
        <source>The tree was not built</source>
        <translation>L&apos;arbre n&apos;a pas été construit</translation>
    </message>
    <message>
        <source>The image was not filtered</source>
        <translation>L&apos;image n&apos;a pas été filtrée</translation>
    </message>
    <message>
        <source>The %1 engine took over: %2</source>
        <translation>Le moteur %1 a pris le relais : %2</translation>
    </message>
    <message>
        <source>The earlier filter works on this image, too</source>
        <translation>Le filtre précédent travaille aussi sur cette image</translation>
    </message>
    <message>
        <source>The %1 earlier filters work on this image, too</source>
        <translation>Les %1 filtres précédents travaillent aussi sur cette image</translation>
    </message>
    <message>
        <source>%1 (slice %2 of %3)</source>
        <translation>%1 (coupe %2 sur %3)</translation>
    </message>
    <message>
        <source>The slice was not shown</source>
        <translation>La coupe n&apos;a pas été montrée</translation>
    </message>
    <message>
        <source>Opened as pages: as a volume it needs up to %1 of memory, %2 are free</source>
        <translation>Ouvert en pages : en volume, il faut jusqu&apos;à %1 de mémoire, %2 sont libres</translation>
    </message>
    <message>
        <source>%1 (%2 of the slices)</source>
        <translation>%1 (%2 des coupes)</translation>
    </message>
</context>
<context>
    <name>pollard::vm::EarlierFilters</name>
    <message>
        <source>Works on the result of one filter</source>
        <translation>Agit sur le résultat d&apos;un filtre</translation>
    </message>
    <message>
        <source>Works on the result of %1 filters</source>
        <translation>Agit sur le résultat de %1 filtres</translation>
    </message>
    <message>
        <source>Continue from the result</source>
        <translation>Continuer à partir du résultat</translation>
    </message>
    <message>
        <source>Back to the previous filter</source>
        <translation>Revenir au filtre d&apos;avant</translation>
    </message>
    <message>
        <source>Clear filter</source>
        <translation>Retirer le filtre</translation>
    </message>
    <message>
        <source>Works on the result of one operator</source>
        <translation>Agit sur le résultat d&apos;un opérateur</translation>
    </message>
    <message>
        <source>Works on the result of %1 steps</source>
        <translation>Agit sur le résultat de %1 étapes</translation>
    </message>
</context>
<context>
    <name>pollard::vm::EmptyResult</name>
    <message>
        <source>the root does not meet %1, and the rule %2 removes all components in it</source>
        <translation>la racine ne remplit pas %1, et la règle %2 retire toutes les composantes qu&apos;elle contient</translation>
    </message>
    <message>
        <source>%1 alone removes %2 of %3 components</source>
        <translation>%1 seul retire %2 composantes sur %3</translation>
    </message>
    <message>
        <source>components were removed by hand</source>
        <translation>des composantes ont été retirées à la main</translation>
    </message>
    <message>
        <source>no component meets any of the criteria</source>
        <translation>aucune composante ne remplit l&apos;un des critères</translation>
    </message>
    <message>
        <source>The filter removes everything</source>
        <translation>Le filtre retire tout</translation>
    </message>
    <message>
        <source>The filter removes everything: %1</source>
        <translation>Le filtre retire tout : %1</translation>
    </message>
    <message>
        <source>The filters before this one leave a single value</source>
        <translation>Les filtres précédents ne laissent qu&apos;une seule valeur</translation>
    </message>
    <message>
        <source>The residue is empty: the filter changes no pixel</source>
        <translation>Le résidu est vide : le filtre ne change aucun pixel</translation>
    </message>
</context>
<context>
    <name>pollard::vm::FilterViewModel</name>
    <message>
        <source>every node</source>
        <translation>chaque nœud</translation>
    </message>
    <message>
        <source> and </source>
        <translation> et </translation>
    </message>
    <message>
        <source> or </source>
        <translation> ou </translation>
    </message>
    <message>
        <source>earlier filter %1: %2</source>
        <translation>filtre précédent %1 : %2</translation>
    </message>
    <message>
        <source>The levels of this image are ranks of its values, which have no distances: set the range of values in the Image panel to smallest to largest.</source>
        <translation>Les niveaux de cette image sont les rangs de ses valeurs, qui n&apos;ont pas de distances : réglez la plage de valeurs du panneau Image de la plus petite à la plus grande.</translation>
    </message>
    <message>
        <source>%1, and %2</source>
        <translation>%1, et %2</translation>
    </message>
    <message>
        <source>a forest of %1 decision trees</source>
        <translation>une forêt de %1 arbres de décision</translation>
    </message>
</context>
<context>
    <name>pollard::vm::ForbiddenArea</name>
    <message>
        <source>The forbidden area was not read</source>
        <translation>La zone interdite n&apos;a pas été lue</translation>
    </message>
</context>
<context>
    <name>pollard::vm::ForbiddenRuns</name>
    <message>
        <source>no memory</source>
        <translation>pas de mémoire</translation>
    </message>
</context>
<context>
    <name>pollard::vm::IcicleViewModel</name>
    <message>
        <source>There is not enough memory to draw the tree.</source>
        <translation>Il n&apos;y a pas assez de mémoire pour dessiner l&apos;arbre.</translation>
    </message>
    <message>
        <source>Level %1</source>
        <translation>Niveau %1</translation>
    </message>
    <message>
        <source>%1 px (%2 %)</source>
        <translation>%1 px (%2 %)</translation>
    </message>
    <message>
        <source>not defined</source>
        <translation>non défini</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1 : %2</translation>
    </message>
    <message>
        <source>%1 components in it</source>
        <translation>%1 composantes dedans</translation>
    </message>
    <message>
        <source>removed by the filter</source>
        <translation>retirée par le filtre</translation>
    </message>
    <message>
        <source>Whole image</source>
        <translation>Toute l&apos;image</translation>
    </message>
    <message>
        <source>Level %1, %2 px</source>
        <translation>Niveau %1, %2 px</translation>
    </message>
    <message>
        <source>Depth</source>
        <translation>Profondeur</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>Niveau</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Valeur</translation>
    </message>
    <message>
        <source>Value (%1)</source>
        <translation>Valeur (%1)</translation>
    </message>
    <message>
        <source>Value %1</source>
        <translation>Valeur %1</translation>
    </message>
    <message>
        <source>Value %1, %2 px</source>
        <translation>Valeur %1, %2 px</translation>
    </message>
</context>
<context>
    <name>pollard::vm::ImageDetail</name>
    <message>
        <source>There is not enough memory for it.</source>
        <translation>La mémoire ne suffit pas.</translation>
    </message>
</context>
<context>
    <name>pollard::vm::ImageMap</name>
    <message>
        <source>%1° S</source>
        <translation>%1° S</translation>
    </message>
    <message>
        <source>%1° N</source>
        <translation>%1° N</translation>
    </message>
    <message>
        <source>%1° W</source>
        <translation>%1° O</translation>
    </message>
    <message>
        <source>%1° E</source>
        <translation>%1° E</translation>
    </message>
    <message>
        <source>E %1 %3, N %2 %3</source>
        <translation>E %1 %3, N %2 %3</translation>
    </message>
    <message>
        <source>RA %1°, Dec %2° (%3)</source>
        <translation>AD %1°, Déc %2° (%3)</translation>
    </message>
</context>
<context>
    <name>pollard::vm::ImageView</name>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
</context>
<context>
    <name>pollard::vm::InspectorViewModel</name>
    <message>
        <source>Attribute</source>
        <translation>Attribut</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Valeur</translation>
    </message>
    <message>
        <source>Level %1</source>
        <translation>Niveau %1</translation>
    </message>
    <message>
        <source>%1, %2 px, %3 × %4 px at (%5, %6)</source>
        <translation>%1, %2 px, %3 × %4 px en (%5, %6)</translation>
    </message>
    <message>
        <source>%1, %2 voxels, %3 × %4 × %5 at (%6, %7), slices %8 to %9</source>
        <translation>%1, %2 voxels, %3 × %4 × %5 en (%6, %7), coupes %8 à %9</translation>
    </message>
    <message>
        <source>Value %1</source>
        <translation>Valeur %1</translation>
    </message>
</context>
<context>
    <name>pollard::vm::LabPlayerViewModel</name>
    <message>
        <source>Step %1 of %2.</source>
        <translation>Étape %1 sur %2.</translation>
    </message>
    <message>
        <source>Line %1: %2</source>
        <translation>Ligne %1 : %2</translation>
    </message>
    <message>
        <source>Pixel %1, level %2</source>
        <translation>Pixel %1, niveau %2</translation>
    </message>
    <message>
        <source>its own parent</source>
        <translation>son propre parent</translation>
    </message>
    <message>
        <source>no parent yet</source>
        <translation>pas encore de parent</translation>
    </message>
    <message>
        <source>parent %1</source>
        <translation>parent %1</translation>
    </message>
    <message>
        <source>number %1</source>
        <translation>numéro %1</translation>
    </message>
    <message>
        <source>result %1</source>
        <translation>résultat %1</translation>
    </message>
    <message numerus="yes">
        <source>node of %1, level %2, %n px</source>
        <translation>
            <numerusform>nœud de %1, niveau %2, %n px</numerusform>
            <numerusform>nœud de %1, niveau %2, %n px</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2 right</source>
        <translation>%1 justes sur %2</translation>
    </message>
    <message>
        <source>Right.</source>
        <translation>Juste.</translation>
    </message>
    <message>
        <source>No: it is %1.</source>
        <translation>Non : c&apos;est %1.</translation>
    </message>
    <message>
        <source>No: it is kept.</source>
        <translation>Non : il est gardé.</translation>
    </message>
    <message>
        <source>No: it is removed.</source>
        <translation>Non : il est retiré.</translation>
    </message>
</context>
<context>
    <name>pollard::vm::LearnViewModel</name>
    <message>
        <source>Keep one component and remove another one by hand: the simplest criteria that decide so appear here.</source>
        <translation>Gardez une composante et retirez-en une autre à la main : les critères les plus simples qui en décident ainsi apparaissent ici.</translation>
    </message>
    <message>
        <source>Looking for criteria …</source>
        <translation>Recherche de critères …</translation>
    </message>
    <message>
        <source>The criteria keep the component in question: %1 %2.</source>
        <translation>Les critères gardent la composante en question : %1 %2.</translation>
    </message>
    <message>
        <source>The criteria remove the component in question: %1 %2.</source>
        <translation>Les critères retirent la composante en question : %1 %2.</translation>
    </message>
    <message>
        <source> and </source>
        <translation> et </translation>
    </message>
    <message>
        <source>Margin: %1 % of the ranks.</source>
        <translation>Marge : %1 % des rangs.</translation>
    </message>
    <message>
        <source>No three criteria agree with all picks. Removed components that would stay: %1.</source>
        <translation>Aucun groupe de trois critères ne convient à toutes les désignations. Composantes retirées qui resteraient : %1.</translation>
    </message>
    <message>
        <source>Also decides: %1.</source>
        <translation>Décide aussi : %1.</translation>
    </message>
    <message>
        <source>Picks that are decided otherwise: %1.</source>
        <translation>Désignations décidées autrement : %1.</translation>
    </message>
</context>
<context>
    <name>pollard::vm::LeaveViewModel</name>
    <message>
        <source>Keep your changes to %1?</source>
        <translation>Conserver vos modifications de %1 ?</translation>
    </message>
    <message>
        <source>The work was not kept</source>
        <translation>Le travail n&apos;a pas été conservé</translation>
    </message>
    <message>
        <source>The work consists of %1.</source>
        <translation>Le travail comprend : %1.</translation>
    </message>
    <message>
        <source>It replaces the work kept on %1: %2.</source>
        <translation>Il remplace le travail conservé le %1 : %2.</translation>
    </message>
    <message>
        <source>You changed settings: the display, the tree, or how the file is read.</source>
        <translation>Vous avez modifié des réglages : l&apos;affichage, l&apos;arbre ou la lecture du fichier.</translation>
    </message>
</context>
<context>
    <name>pollard::vm::MeasuredChannels</name>
    <message>
        <source>Reading %1 channels…</source>
        <translation>Lecture de %1 canaux…</translation>
    </message>
    <message>
        <source>The channels were not read: %1. Objects are measured in this channel only.</source>
        <translation>Les canaux n’ont pas été lus : %1. Les objets ne sont mesurés que dans ce canal.</translation>
    </message>
    <message>
        <source>This channel</source>
        <translation>Ce canal</translation>
    </message>
    <message>
        <source>All channels</source>
        <translation>Tous les canaux</translation>
    </message>
    <message>
        <source>pairs</source>
        <translation>paires</translation>
    </message>
    <message>
        <source>ring %1 px</source>
        <translation>anneau %1 px</translation>
    </message>
    <message>
        <source>count of %1</source>
        <translation>nombre de %1</translation>
    </message>
</context>
<context>
    <name>pollard::vm::NodeExport</name>
    <message>
        <source>The components were not saved</source>
        <translation>Les composantes n&apos;ont pas été enregistrées</translation>
    </message>
</context>
<context>
    <name>pollard::vm::NodeSelection</name>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>%1 selected</source>
        <translation>%1 sélectionnées</translation>
    </message>
    <message>
        <source>%1, %2 outermost, %3 px</source>
        <translation>%1, dont %2 les plus extérieures, %3 px</translation>
    </message>
</context>
<context>
    <name>pollard::vm::ObjectExport</name>
    <message>
        <source>The objects were not saved</source>
        <translation>Les objets n&apos;ont pas été enregistrés</translation>
    </message>
</context>
<context>
    <name>pollard::vm::ObjectTableModel</name>
    <message>
        <source>Label</source>
        <translation>Étiquette</translation>
    </message>
    <message>
        <source>Area</source>
        <translation>Aire</translation>
    </message>
    <message>
        <source>X</source>
        <translation>X</translation>
    </message>
    <message>
        <source>Y</source>
        <translation>Y</translation>
    </message>
    <message>
        <source>Left</source>
        <translation>Gauche</translation>
    </message>
    <message>
        <source>Top</source>
        <translation>Haut</translation>
    </message>
    <message>
        <source>Width</source>
        <translation>Largeur</translation>
    </message>
    <message>
        <source>Height</source>
        <translation>Hauteur</translation>
    </message>
    <message>
        <source>Major axis</source>
        <translation>Grand axe</translation>
    </message>
    <message>
        <source>Minor axis</source>
        <translation>Petit axe</translation>
    </message>
    <message>
        <source>Elongation</source>
        <translation>Allongement</translation>
    </message>
    <message>
        <source>Orientation</source>
        <translation>Orientation</translation>
    </message>
    <message>
        <source>Perimeter</source>
        <translation>Périmètre</translation>
    </message>
    <message>
        <source>Circularity</source>
        <translation>Circularité</translation>
    </message>
    <message>
        <source>Rectangularity</source>
        <translation>Rectangularité</translation>
    </message>
    <message>
        <source>Holes</source>
        <translation>Trous</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>Moyenne</translation>
    </message>
    <message>
        <source>Min</source>
        <translation>Min</translation>
    </message>
    <message>
        <source>Max</source>
        <translation>Max</translation>
    </message>
    <message>
        <source>Sum</source>
        <translation>Somme</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>%1 (%2²)</source>
        <translation>%1 (%2²)</translation>
    </message>
    <message>
        <source>%1 (rad)</source>
        <translation>%1 (rad)</translation>
    </message>
    <message>
        <source>%1 (grey)</source>
        <translation>%1 (gris)</translation>
    </message>
    <message>
        <source>1 object</source>
        <translation>1 objet</translation>
    </message>
    <message>
        <source>%1 objects</source>
        <translation>%1 objets</translation>
    </message>
    <message>
        <source>%1 of %2 objects</source>
        <translation>%1 sur %2 objets</translation>
    </message>
    <message>
        <source>, %1 % of the image</source>
        <translation>, %1 % de l&apos;image</translation>
    </message>
    <message>
        <source>, %1 deleted</source>
        <translation>, %1 supprimés</translation>
    </message>
    <message>
        <source>, %1 selected</source>
        <translation>, %1 sélectionnés</translation>
    </message>
    <message>
        <source>Track</source>
        <translation>Trajectoire</translation>
    </message>
    <message>
        <source>Number of the object&apos;s track over the pages</source>
        <translation>Numéro de la trajectoire de l&apos;objet au fil des pages</translation>
    </message>
    <message>
        <source>The numbers of the condition are in %1 since the unit was switched.</source>
        <translation>Les nombres de la condition sont en %1 depuis le changement d&apos;unité.</translation>
    </message>
    <message>
        <source>Perimeter (ImageJ)</source>
        <translation>Périmètre (ImageJ)</translation>
    </message>
    <message>
        <source>Circularity (ImageJ)</source>
        <translation>Circularité (ImageJ)</translation>
    </message>
    <message>
        <source>Convex area</source>
        <translation>Aire convexe</translation>
    </message>
    <message>
        <source>Solidity</source>
        <translation>Solidité</translation>
    </message>
    <message>
        <source>Convex perimeter</source>
        <translation>Périmètre convexe</translation>
    </message>
    <message>
        <source>Feret max</source>
        <translation>Féret max</translation>
    </message>
    <message>
        <source>Feret max angle</source>
        <translation>Angle du Féret max</translation>
    </message>
    <message>
        <source>Feret min</source>
        <translation>Féret min</translation>
    </message>
    <message>
        <source>Feret min angle</source>
        <translation>Angle du Féret min</translation>
    </message>
    <message>
        <source>Inscribed radius</source>
        <translation>Rayon inscrit</translation>
    </message>
    <message>
        <source>Inscribed X</source>
        <translation>X inscrit</translation>
    </message>
    <message>
        <source>Inscribed Y</source>
        <translation>Y inscrit</translation>
    </message>
    <message>
        <source>Thickness</source>
        <translation>Épaisseur</translation>
    </message>
    <message>
        <source>Inscribed Z</source>
        <translation>Z inscrit</translation>
    </message>
    <message>
        <source>number of pixels whose centre lies in the convex hull of the midpoints of the object&apos;s pixel sides</source>
        <translation>nombre de pixels dont le centre est dans l&apos;enveloppe convexe des milieux des côtés des pixels de l&apos;objet</translation>
    </message>
    <message>
        <source>A / convex area, at most 1</source>
        <translation>A / aire convexe, au plus 1</translation>
    </message>
    <message>
        <source>length of the hull&apos;s outline</source>
        <translation>longueur du contour de l&apos;enveloppe convexe</translation>
    </message>
    <message>
        <source>largest distance of two parallel lines that enclose the hull</source>
        <translation>plus grande distance de deux droites parallèles qui encadrent l&apos;enveloppe convexe</translation>
    </message>
    <message>
        <source>angle from the x axis to the direction of Feret max, clockwise on the screen</source>
        <translation>angle de l&apos;axe des x à la direction du Féret max, dans le sens horaire à l&apos;écran</translation>
    </message>
    <message>
        <source>smallest distance of two parallel lines that enclose the hull</source>
        <translation>plus petite distance de deux droites parallèles qui encadrent l&apos;enveloppe convexe</translation>
    </message>
    <message>
        <source>angle from the x axis to the direction of Feret min, clockwise on the screen</source>
        <translation>angle de l&apos;axe des x à la direction du Féret min, dans le sens horaire à l&apos;écran</translation>
    </message>
    <message>
        <source>largest distance between the centres of a pixel of the object and the nearest pixel outside</source>
        <translation>plus grande distance d&apos;un pixel de l&apos;objet au pixel extérieur le plus proche, entre leurs centres</translation>
    </message>
    <message>
        <source>column of the centre of the inscribed circle</source>
        <translation>colonne du centre du cercle inscrit</translation>
    </message>
    <message>
        <source>row of the centre of the inscribed circle, downwards</source>
        <translation>ligne du centre du cercle inscrit, vers le bas</translation>
    </message>
    <message>
        <source>mean over the pixels of the diameter of the largest circle in the object that contains the pixel</source>
        <translation>moyenne, sur les pixels, du diamètre du plus grand cercle de l&apos;objet qui contient le pixel</translation>
    </message>
    <message>
        <source>largest distance between the centres of a voxel of the object and the nearest voxel outside</source>
        <translation>plus grande distance d&apos;un voxel de l&apos;objet au voxel extérieur le plus proche, entre leurs centres</translation>
    </message>
    <message>
        <source>column of the centre of the inscribed ball</source>
        <translation>colonne du centre de la boule inscrite</translation>
    </message>
    <message>
        <source>row of the centre of the inscribed ball, downwards</source>
        <translation>ligne du centre de la boule inscrite, vers le bas</translation>
    </message>
    <message>
        <source>slice of the centre of the inscribed ball</source>
        <translation>coupe du centre de la boule inscrite</translation>
    </message>
    <message>
        <source>mean over the voxels of the diameter of the largest ball in the object that contains the voxel</source>
        <translation>moyenne, sur les voxels, du diamètre de la plus grande boule de l&apos;objet qui contient le voxel</translation>
    </message>
    <message>
        <source>Border pixels</source>
        <translation>Pixels de bord</translation>
    </message>
    <message>
        <source>number of the object, in raster order of the first pixel</source>
        <translation>numéro de l&apos;objet, dans l&apos;ordre de lecture du premier pixel</translation>
    </message>
    <message>
        <source>A = number of pixels</source>
        <translation>A = nombre de pixels</translation>
    </message>
    <message>
        <source>mean column from the upper left corner, pixel centres at 0, 1, 2 ...</source>
        <translation>colonne moyenne depuis le coin supérieur gauche, centres des pixels à 0, 1, 2 ...</translation>
    </message>
    <message>
        <source>mean row from the upper left corner, pixel centres at 0, 1, 2 ..., downwards</source>
        <translation>ligne moyenne depuis le coin supérieur gauche, centres des pixels à 0, 1, 2 ..., vers le bas</translation>
    </message>
    <message>
        <source>first column of the bounding box</source>
        <translation>première colonne de la boîte englobante</translation>
    </message>
    <message>
        <source>first row of the bounding box</source>
        <translation>première ligne de la boîte englobante</translation>
    </message>
    <message>
        <source>columns of the bounding box</source>
        <translation>colonnes de la boîte englobante</translation>
    </message>
    <message>
        <source>rows of the bounding box</source>
        <translation>lignes de la boîte englobante</translation>
    </message>
    <message>
        <source>length of the ellipse of equal second moments</source>
        <translation>longueur de l&apos;ellipse de mêmes moments d&apos;ordre deux</translation>
    </message>
    <message>
        <source>width of the ellipse of equal second moments</source>
        <translation>largeur de l&apos;ellipse de mêmes moments d&apos;ordre deux</translation>
    </message>
    <message>
        <source>major axis / minor axis</source>
        <translation>grand axe / petit axe</translation>
    </message>
    <message>
        <source>angle from the x axis to the major axis, clockwise on the screen</source>
        <translation>angle de l&apos;axe x au grand axe, dans le sens horaire à l&apos;écran</translation>
    </message>
    <message>
        <source>P = exposed pixel sides, also of holes and on the image&apos;s border</source>
        <translation>P = côtés de pixels exposés, y compris ceux des trous et du bord de l&apos;image</translation>
    </message>
    <message>
        <source>4 pi A / (P pi/4)^2: about 1 for a disc, whose sides are 4/pi times as long as its rim; above 1 where the outline runs along rows and columns, up to 4/pi = 1.27 for a square</source>
        <translation>4 pi A / (P pi/4)^2 : environ 1 pour un disque, dont les côtés sont 4/pi fois plus longs que le contour ; plus de 1 où le contour suit lignes et colonnes, jusqu&apos;à 4/pi = 1,27 pour un carré</translation>
    </message>
    <message>
        <source>Q = sides of the outer outline less 2 - sqrt(2) a corner, as ImageJ measures traced particles</source>
        <translation>Q = côtés du contour extérieur moins 2 - sqrt(2) par coin, comme ImageJ mesure les particules tracées</translation>
    </message>
    <message>
        <source>4 pi A / Q^2, at most 1, as in ImageJ</source>
        <translation>4 pi A / Q^2, au plus 1, comme dans ImageJ</translation>
    </message>
    <message>
        <source>A / (width * height)</source>
        <translation>A / (largeur * hauteur)</translation>
    </message>
    <message>
        <source>parts of the complement that the object encloses</source>
        <translation>parties du complément que l&apos;objet entoure</translation>
    </message>
    <message>
        <source>number of pixels in the first or last row or column of the image</source>
        <translation>nombre de pixels dans la première ou la dernière ligne ou colonne de l&apos;image</translation>
    </message>
    <message>
        <source>mean grey value of the original image</source>
        <translation>valeur de gris moyenne de l&apos;image originale</translation>
    </message>
    <message>
        <source>smallest grey value of the original image</source>
        <translation>plus petite valeur de gris de l&apos;image originale</translation>
    </message>
    <message>
        <source>largest grey value of the original image</source>
        <translation>plus grande valeur de gris de l&apos;image originale</translation>
    </message>
    <message>
        <source>sum of the grey values of the original image</source>
        <translation>somme des valeurs de gris de l&apos;image originale</translation>
    </message>
    <message>
        <source>%1: %2
In conditions and tables: %3</source>
        <translation>%1 : %2
Dans les conditions et les tables : %3</translation>
    </message>
    <message>
        <source>, %1 at the border left out</source>
        <translation>, %1 au bord écartés</translation>
    </message>
    <message>
        <source>; not measured in all channels: %1</source>
        <translation> ; pas mesurés dans tous les canaux : %1</translation>
    </message>
    <message>
        <source>Class</source>
        <translation>Classe</translation>
    </message>
    <message>
        <source>Class by hand, else the first class whose condition the object meets</source>
        <translation>Classe à la main, sinon première classe dont l’objet remplit la condition</translation>
    </message>
    <message>
        <source>Z</source>
        <translation>Z</translation>
    </message>
    <message>
        <source>Medium axis</source>
        <translation>Axe moyen</translation>
    </message>
    <message>
        <source>Flatness</source>
        <translation>Aplatissement</translation>
    </message>
    <message>
        <source>Surface</source>
        <translation>Surface</translation>
    </message>
    <message>
        <source>Sphericity</source>
        <translation>Sphéricité</translation>
    </message>
    <message>
        <source>Border voxels</source>
        <translation>Voxels du bord</translation>
    </message>
    <message>
        <source>Euler number</source>
        <translation>Nombre d&apos;Euler</translation>
    </message>
    <message>
        <source>number of the object, in raster order of the first voxel</source>
        <translation>numéro de l&apos;objet, dans l&apos;ordre de balayage du premier voxel</translation>
    </message>
    <message>
        <source>V = number of voxels</source>
        <translation>V = nombre de voxels</translation>
    </message>
    <message>
        <source>first slice of the bounding box</source>
        <translation>première coupe de la boîte englobante</translation>
    </message>
    <message>
        <source>slices of the bounding box</source>
        <translation>coupes de la boîte englobante</translation>
    </message>
    <message>
        <source>mean column, voxel centres at 0, 1, 2 ...</source>
        <translation>colonne moyenne, centres des voxels en 0, 1, 2 ...</translation>
    </message>
    <message>
        <source>mean row, voxel centres at 0, 1, 2 ..., downwards</source>
        <translation>ligne moyenne, centres des voxels en 0, 1, 2 ..., vers le bas</translation>
    </message>
    <message>
        <source>mean slice, voxel centres at 0, 1, 2 ...</source>
        <translation>coupe moyenne, centres des voxels en 0, 1, 2 ...</translation>
    </message>
    <message>
        <source>longest axis of the ellipsoid of equal second moments</source>
        <translation>plus grand axe de l&apos;ellipsoïde de mêmes moments d&apos;ordre deux</translation>
    </message>
    <message>
        <source>second axis of the ellipsoid of equal second moments</source>
        <translation>deuxième axe de l&apos;ellipsoïde de mêmes moments d&apos;ordre deux</translation>
    </message>
    <message>
        <source>shortest axis of the ellipsoid of equal second moments</source>
        <translation>plus petit axe de l&apos;ellipsoïde de mêmes moments d&apos;ordre deux</translation>
    </message>
    <message>
        <source>major axis / medium axis</source>
        <translation>grand axe / axe moyen</translation>
    </message>
    <message>
        <source>medium axis / minor axis</source>
        <translation>axe moyen / petit axe</translation>
    </message>
    <message>
        <source>S = exposed faces of voxels, also of cavities and on the volume&apos;s border</source>
        <translation>S = faces exposées des voxels, y compris celles des cavités et du bord du volume</translation>
    </message>
    <message>
        <source>pi^(1/3) (6 V)^(2/3) / (2/3 S): about 1 for a ball, whose faces are 3/2 of its surface</source>
        <translation>pi^(1/3) (6 V)^(2/3) / (2/3 S) : environ 1 pour une boule, dont les faces font 3/2 de la surface</translation>
    </message>
    <message>
        <source>V / (width * height * slices)</source>
        <translation>V / (largeur * hauteur * coupes)</translation>
    </message>
    <message>
        <source>number of voxels in the first or last column, row or slice of the volume</source>
        <translation>nombre de voxels dans la première ou la dernière colonne, ligne ou coupe du volume</translation>
    </message>
    <message>
        <source>smallest grey value of the original volume</source>
        <translation>plus petite valeur de gris du volume d&apos;origine</translation>
    </message>
    <message>
        <source>largest grey value of the original volume</source>
        <translation>plus grande valeur de gris du volume d&apos;origine</translation>
    </message>
    <message>
        <source>sum of the grey values of the original volume</source>
        <translation>somme des valeurs de gris du volume d&apos;origine</translation>
    </message>
    <message>
        <source>mean grey value of the original volume</source>
        <translation>valeur de gris moyenne du volume d&apos;origine</translation>
    </message>
    <message>
        <source>objects (1) - tunnels + cavities</source>
        <translation>objets (1) - tunnels + cavités</translation>
    </message>
    <message>
        <source>Volume</source>
        <translation>Volume</translation>
    </message>
    <message>
        <source>, %1 % of the volume</source>
        <translation>, %1 % du volume</translation>
    </message>
    <message>
        <source>%1 (%2³)</source>
        <translation>%1 (%2³)</translation>
    </message>
    <message>
        <source>This is read as %1.</source>
        <translation>Ceci est lu comme %1.</translation>
    </message>
    <message>
        <source>First slice</source>
        <translation>Première coupe</translation>
    </message>
    <message>
        <source>Number of slices</source>
        <translation>Nombre de coupes</translation>
    </message>
    <message>
        <source>RA (°)</source>
        <translation>AD (°)</translation>
    </message>
    <message>
        <source>Dec (°)</source>
        <translation>Déc (°)</translation>
    </message>
    <message>
        <source>Easting</source>
        <translation>Est</translation>
    </message>
    <message>
        <source>Northing</source>
        <translation>Nord</translation>
    </message>
    <message>
        <source>Longitude (°)</source>
        <translation>Longitude (°)</translation>
    </message>
    <message>
        <source>Latitude (°)</source>
        <translation>Latitude (°)</translation>
    </message>
    <message>
        <source>right ascension of the centroid, in the file&apos;s frame</source>
        <translation>ascension droite du centroïde, dans le repère du fichier</translation>
    </message>
    <message>
        <source>declination of the centroid, in the file&apos;s frame</source>
        <translation>déclinaison du centroïde, dans le repère du fichier</translation>
    </message>
    <message>
        <source>easting of the centroid in the coordinate system of the file</source>
        <translation>coordonnée est du centroïde dans le système de coordonnées du fichier</translation>
    </message>
    <message>
        <source>northing of the centroid in the coordinate system of the file</source>
        <translation>coordonnée nord du centroïde dans le système de coordonnées du fichier</translation>
    </message>
    <message>
        <source>longitude of the centroid on WGS 84</source>
        <translation>longitude du centroïde sur WGS 84</translation>
    </message>
    <message>
        <source>latitude of the centroid on WGS 84</source>
        <translation>latitude du centroïde sur WGS 84</translation>
    </message>
    <message>
        <source>Right (mm)</source>
        <translation>Droite (mm)</translation>
    </message>
    <message>
        <source>Anterior (mm)</source>
        <translation>Antérieur (mm)</translation>
    </message>
    <message>
        <source>Superior (mm)</source>
        <translation>Supérieur (mm)</translation>
    </message>
    <message>
        <source>place of the centroid in the patient, to the right of the origin of the file</source>
        <translation>position du centroïde dans le patient, vers la droite depuis l’origine du fichier</translation>
    </message>
    <message>
        <source>place of the centroid in the patient, anterior to the origin of the file</source>
        <translation>position du centroïde dans le patient, vers l’avant depuis l’origine du fichier</translation>
    </message>
    <message>
        <source>place of the centroid in the patient, superior to the origin of the file</source>
        <translation>position du centroïde dans le patient, vers le haut depuis l’origine du fichier</translation>
    </message>
    <message>
        <source>%1: %2
In tables: %3</source>
        <translation>%1 : %2
Dans les tableaux : %3</translation>
    </message>
    <message>
        <source>Flux</source>
        <translation>Flux</translation>
    </message>
    <message>
        <source>sum of value - local background over the pixels of the original image</source>
        <translation>somme de valeur - fond local sur les pixels de l’image d’origine</translation>
    </message>
    <message>
        <source>, %1 % of the region</source>
        <translation>, %1 % de la région</translation>
    </message>
</context>
<context>
    <name>pollard::vm::ObjectTracksViewModel</name>
    <message>
        <source>Open a stack to follow its objects.</source>
        <translation>Ouvrez une pile pour suivre ses objets.</translation>
    </message>
    <message>
        <source>The file has one page; objects are followed over several.</source>
        <translation>Le fichier a une seule page ; les objets se suivent sur plusieurs.</translation>
    </message>
    <message>
        <source>The tracks were not saved</source>
        <translation>Les trajectoires n&apos;ont pas été enregistrées</translation>
    </message>
    <message>
        <source>Objects are followed over time or pages, not in a volume.</source>
        <translation>Les objets sont suivis dans le temps ou sur les pages, non dans un volume.</translation>
    </message>
    <message>
        <source>The file has no time axis, along which objects are followed.</source>
        <translation>Le fichier n’a pas d’axe du temps, le long duquel les objets sont suivis.</translation>
    </message>
    <message>
        <source>The condition names channels or places, which are measured on the shown page only. Objects are followed by a condition on other features.</source>
        <translation>La condition nomme des canaux ou des positions, qui ne sont mesurés que sur la page affichée. Les objets sont suivis par une condition sur d’autres caractéristiques.</translation>
    </message>
    <message>
        <source>%1 objects on %2 tracks over %3 times</source>
        <translation>%1 objets sur %2 trajectoires en %3 temps</translation>
    </message>
    <message>
        <source>%1 objects on %2 tracks over %3 slices</source>
        <translation>%1 objets sur %2 trajectoires sur %3 coupes</translation>
    </message>
    <message>
        <source>%1 objects on %2 tracks over %3 pages</source>
        <translation>%1 objets sur %2 trajectoires sur %3 pages</translation>
    </message>
    <message>
        <source>%1; births %2, splits %3, merges %4, deaths %5</source>
        <translation>%1 ; naissances %2, divisions %3, fusions %4, fins %5</translation>
    </message>
</context>
<context>
    <name>pollard::vm::OperatorViewModel</name>
    <message>
        <source>Erosion</source>
        <translation>Érosion</translation>
    </message>
    <message>
        <source>Dilation</source>
        <translation>Dilatation</translation>
    </message>
    <message>
        <source>Opening</source>
        <translation>Ouverture</translation>
    </message>
    <message>
        <source>Closing</source>
        <translation>Fermeture</translation>
    </message>
    <message>
        <source>White top-hat</source>
        <translation>Chapeau haut-de-forme blanc</translation>
    </message>
    <message>
        <source>Black top-hat</source>
        <translation>Chapeau haut-de-forme noir</translation>
    </message>
    <message>
        <source>Gradient</source>
        <translation>Gradient</translation>
    </message>
    <message>
        <source>Opening by reconstruction</source>
        <translation>Ouverture par reconstruction</translation>
    </message>
    <message>
        <source>Closing by reconstruction</source>
        <translation>Fermeture par reconstruction</translation>
    </message>
    <message>
        <source>Gaussian smoothing</source>
        <translation>Lissage gaussien</translation>
    </message>
    <message>
        <source>Median</source>
        <translation>Médiane</translation>
    </message>
    <message>
        <source>Fill holes</source>
        <translation>Remplir les trous</translation>
    </message>
    <message>
        <source>Clear border</source>
        <translation>Vider le bord</translation>
    </message>
    <message>
        <source>h-maxima</source>
        <translation>h-maxima</translation>
    </message>
    <message>
        <source>h-minima</source>
        <translation>h-minima</translation>
    </message>
    <message>
        <source>Distance to the background</source>
        <translation>Distance au fond</translation>
    </message>
    <message>
        <source>Skeleton</source>
        <translation>Squelette</translation>
    </message>
    <message>
        <source>Thickness on the skeleton</source>
        <translation>Épaisseur sur le squelette</translation>
    </message>
    <message>
        <source>Reconstruction by dilation</source>
        <translation>Reconstruction par dilatation</translation>
    </message>
    <message>
        <source>Reconstruction by erosion</source>
        <translation>Reconstruction par érosion</translation>
    </message>
    <message>
        <source>disc</source>
        <translation>disque</translation>
    </message>
    <message>
        <source>box</source>
        <translation>carré</translation>
    </message>
    <message>
        <source>radius %1 %2</source>
        <translation>rayon %1 %2</translation>
    </message>
    <message>
        <source>sigma %1 %2</source>
        <translation>sigma %1 %2</translation>
    </message>
    <message>
        <source>height %1</source>
        <translation>hauteur %1</translation>
    </message>
    <message>
        <source>in %1</source>
        <translation>en %1</translation>
    </message>
    <message>
        <source>marker %1</source>
        <translation>marqueur %1</translation>
    </message>
    <message>
        <source>%1-connected</source>
        <translation>%1-connexe</translation>
    </message>
    <message>
        <source>No image is open.</source>
        <translation>Aucune image n&apos;est ouverte.</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1 : %2</translation>
    </message>
    <message>
        <source>grey marker %1</source>
        <translation>marqueur gris %1</translation>
    </message>
    <message>
        <source>Choose the image of the marker.</source>
        <translation>Choisissez l&apos;image du marqueur.</translation>
    </message>
</context>
<context>
    <name>pollard::vm::OverlaysViewModel</name>
    <message>
        <source>no data</source>
        <translation>sans données</translation>
    </message>
</context>
<context>
    <name>pollard::vm::Overview</name>
    <message>
        <source>No image is open.</source>
        <translation>Aucune image n&apos;est ouverte.</translation>
    </message>
    <message>
        <source>This is a volume.</source>
        <translation>C&apos;est un volume.</translation>
    </message>
    <message>
        <source>The image is shown at full resolution.</source>
        <translation>L&apos;image est affichée en pleine résolution.</translation>
    </message>
</context>
<context>
    <name>pollard::vm::PicksModel</name>
    <message>
        <source>Click to undo it</source>
        <translation>Cliquez pour revenir dessus</translation>
    </message>
    <message>
        <source>%1 removed</source>
        <translation>%1 retirées</translation>
    </message>
    <message>
        <source>%1 kept</source>
        <translation>%1 gardées</translation>
    </message>
    <message>
        <source>, </source>
        <translation>, </translation>
    </message>
    <message>
        <source>removed</source>
        <translation>retirée</translation>
    </message>
    <message>
        <source>kept</source>
        <translation>gardée</translation>
    </message>
    <message>
        <source>%1: not in this tree</source>
        <translation>%1 : pas dans cet arbre</translation>
    </message>
    <message>
        <source>%1: %2 px at %3, %4</source>
        <translation>%1 : %2 px en %3, %4</translation>
    </message>
    <message>
        <source>only %1 kept</source>
        <translation>seulement %1 gardées</translation>
    </message>
    <message>
        <source>nothing but</source>
        <translation>seule gardée</translation>
    </message>
    <message>
        <source>%1: %2 voxels at %3, %4, slice %5</source>
        <translation>%1 : %2 voxels en %3, %4, coupe %5</translation>
    </message>
</context>
<context>
    <name>pollard::vm::PixelSizeViewModel</name>
    <message>
        <source>%1 px</source>
        <translation>%1 px</translation>
    </message>
    <message>
        <source>file: %1%2</source>
        <translation>fichier : %1%2</translation>
    </message>
    <message>
        <source>the file states none</source>
        <translation>le fichier n’en indique pas</translation>
    </message>
    <message>
        <source>%1; %2</source>
        <translation>%1 ; %2</translation>
    </message>
    <message>
        <source>set by hand</source>
        <translation>fixée à la main</translation>
    </message>
    <message>
        <source>set for this folder</source>
        <translation>fixée pour ce dossier</translation>
    </message>
    <message>
        <source>pixel size of the folder</source>
        <translation>taille d’un pixel du dossier</translation>
    </message>
    <message>
        <source>pixel size of the file</source>
        <translation>taille d’un pixel du fichier</translation>
    </message>
</context>
<context>
    <name>pollard::vm::PresentationViewModel</name>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>%1 to screen</source>
        <translation>%1 jusqu&apos;à l&apos;écran</translation>
    </message>
    <message>
        <source>Time from the movement of a control to its image on the screen</source>
        <translation>Temps du mouvement d&apos;une commande à son image à l&apos;écran</translation>
    </message>
    <message numerus="yes">
        <source>Last %n images: median %1, 95 % within %2</source>
        <translation>
            <numerusform>Dernière image : médiane %1, 95 % en moins de %2</numerusform>
            <numerusform>%n dernières images : médiane %1, 95 % en moins de %2</numerusform>
        </translation>
    </message>
    <message>
        <source> (no interop)</source>
        <translation> (sans interopérabilité)</translation>
    </message>
    <message>
        <source>%1 + interop</source>
        <translation>%1 + interop</translation>
    </message>
    <message>
        <source>%1 + copy</source>
        <translation>%1 + copie</translation>
    </message>
    <message>
        <source>Engine and device in use</source>
        <translation>Moteur et périphérique utilisés</translation>
    </message>
    <message>
        <source>Engine: %1, %2</source>
        <translation>Moteur : %1, %2</translation>
    </message>
    <message>
        <source>Its filter writes straight into the window&apos;s textures.</source>
        <translation>Son filtre écrit directement dans les textures de la fenêtre.</translation>
    </message>
    <message>
        <source>Its image reaches the window through main memory.</source>
        <translation>Son image atteint la fenêtre par la mémoire principale.</translation>
    </message>
    <message>
        <source>It writes the numbers of the components there, too: %1.</source>
        <translation>Il y écrit aussi les numéros des composantes : %1.</translation>
    </message>
    <message>
        <source>The numbers of the components are copied to the graphics card: %1.</source>
        <translation>Les numéros des composantes sont copiés vers la carte graphique : %1.</translation>
    </message>
</context>
<context>
    <name>pollard::vm::PresetViewModel</name>
    <message>
        <source>The sample cannot be opened</source>
        <translation>L&apos;échantillon ne peut pas être ouvert</translation>
    </message>
    <message>
        <source>not in this program</source>
        <translation>absent de ce programme</translation>
    </message>
    <message>
        <source>it cannot be written to %1</source>
        <translation>on ne peut pas l&apos;écrire dans %1</translation>
    </message>
</context>
<context>
    <name>pollard::vm::ProbeViewModel</name>
    <message>
        <source>unknown</source>
        <translation>inconnu</translation>
    </message>
    <message>
        <source>x %1  y %2   value %3 → %4   node %5  level %6  area %7 px</source>
        <translation>x %1  y %2   valeur %3 → %4   nœud %5  niveau %6  aire %7 px</translation>
    </message>
    <message>
        <source>x %1  y %2   value %3 → %4   node %5 of %6  area %7 px</source>
        <translation>x %1  y %2   valeur %3 → %4   nœud %5 de %6  aire %7 px</translation>
    </message>
    <message>
        <source>level %1 → %2</source>
        <translation>niveau %1 → %2</translation>
    </message>
</context>
<context>
    <name>pollard::vm::ProfileViewModel</name>
    <message>
        <source>Keeps %1 of %2 nodes</source>
        <translation>Garde %1 nœuds sur %2</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not a number</source>
        <translation>« %1 » n&apos;est pas un nombre</translation>
    </message>
    <message>
        <source>No threshold is left</source>
        <translation>Il ne reste aucun seuil</translation>
    </message>
    <message>
        <source>%1 thresholds; at most %2 are shown</source>
        <translation>%1 seuils ; au plus %2 sont montrés</translation>
    </message>
</context>
<context>
    <name>pollard::vm::RaceViewModel</name>
    <message>
        <source>%1, 1 thread</source>
        <translation>%1, 1 fil</translation>
    </message>
    <message>
        <source>%1 x %2 px, %3 bits, %4, %5 neighbours</source>
        <translation>%1 × %2 px, %3 bits, %4, %5 voisins</translation>
    </message>
    <message>
        <source>max-tree</source>
        <translation>max-tree</translation>
    </message>
    <message>
        <source>min-tree</source>
        <translation>min-tree</translation>
    </message>
    <message>
        <source>1 thread</source>
        <translation>1 fil</translation>
    </message>
    <message>
        <source>%1, all threads</source>
        <translation>%1, tous les fils</translation>
    </message>
    <message>
        <source>cuda: this program was built without it</source>
        <translation>cuda : ce programme a été construit sans lui</translation>
    </message>
</context>
<context>
    <name>pollard::vm::RawViewModel</name>
    <message>
        <source>Fits exactly: %1 bytes</source>
        <translation>Convient exactement : %1 octets</translation>
    </message>
    <message>
        <source>Needs %1 bytes, the file has %2</source>
        <translation>Demande %1 octets, le fichier en a %2</translation>
    </message>
    <message>
        <source>Needs %1 bytes, but the file has only %2</source>
        <translation>Demande %1 octets, mais le fichier n&apos;en a que %2</translation>
    </message>
    <message>
        <source>Too large for a preview</source>
        <translation>Trop grand pour un aperçu</translation>
    </message>
    <message>
        <source>The file is too short</source>
        <translation>Le fichier est trop court</translation>
    </message>
</context>
<context>
    <name>pollard::vm::RecipeFiles</name>
    <message>
        <source>The recipe was not loaded</source>
        <translation>La recette n&apos;a pas été chargée</translation>
    </message>
    <message>
        <source>The recipe was not saved</source>
        <translation>La recette n&apos;a pas été enregistrée</translation>
    </message>
    <message>
        <source>There is not enough memory for it.</source>
        <translation>Il n&apos;y a pas assez de mémoire pour cela.</translation>
    </message>
</context>
<context>
    <name>pollard::vm::RecipeViewModel</name>
    <message>
        <source>scene</source>
        <translation>scène</translation>
    </message>
    <message>
        <source>Read page %1</source>
        <translation>Lire la page %1</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>Max-tree, %1-connected</source>
        <translation>Max-tree, %1-connexe</translation>
    </message>
    <message>
        <source>Min-tree, %1-connected</source>
        <translation>Min-tree, %1-connexe</translation>
    </message>
    <message>
        <source> and </source>
        <translation> et </translation>
    </message>
    <message>
        <source> or </source>
        <translation> ou </translation>
    </message>
    <message>
        <source>Filter: %1, %2, %3</source>
        <translation>Filtre : %1, %2, %3</translation>
    </message>
    <message>
        <source>all components</source>
        <translation>toutes les composantes</translation>
    </message>
    <message>
        <source>The kind of a step cannot change: %1</source>
        <translation>Le type d&apos;une étape ne peut pas changer : %1</translation>
    </message>
    <message>
        <source>recipe step</source>
        <translation>étape de la recette</translation>
    </message>
    <message>
        <source>recipe</source>
        <translation>recette</translation>
    </message>
    <message>
        <source>Region: outside of one shape</source>
        <translation>Région : hors d&apos;une forme</translation>
    </message>
    <message>
        <source>Region: outside of %1 shapes</source>
        <translation>Région : hors de %1 formes</translation>
    </message>
    <message>
        <source>Region: one shape</source>
        <translation>Région : une forme</translation>
    </message>
    <message>
        <source>Region: %1 shapes</source>
        <translation>Région : %1 formes</translation>
    </message>
    <message>
        <source>Region: all pixels</source>
        <translation>Région : tous les pixels</translation>
    </message>
    <message>
        <source>order of filters</source>
        <translation>ordre des filtres</translation>
    </message>
    <message>
        <source>%1 pollard-cli run %2 does.</source>
        <translation>%1 pollard-cli run %2 le fait.</translation>
    </message>
    <message>
        <source>Open an image first: this recipe finds objects or contours in it.</source>
        <translation>Ouvrez d&apos;abord une image : cette recette y trouve des objets ou des contours.</translation>
    </message>
    <message>
        <source> (all channels)</source>
        <translation> (tous les canaux)</translation>
    </message>
    <message>
        <source>Open an image first: this recipe filters several of its channels.</source>
        <translation>Ouvrez d&apos;abord une image : cette recette filtre plusieurs de ses canaux.</translation>
    </message>
    <message>
        <source>first</source>
        <translation>premier</translation>
    </message>
    <message>
        <source>middle</source>
        <translation>milieu</translation>
    </message>
    <message>
        <source>last</source>
        <translation>dernier</translation>
    </message>
    <message>
        <source>each</source>
        <translation>chacun</translation>
    </message>
    <message>
        <source>volume</source>
        <translation>volume</translation>
    </message>
    <message>
        <source>z</source>
        <translation>z</translation>
    </message>
    <message>
        <source>time</source>
        <translation>temps</translation>
    </message>
    <message>
        <source>page</source>
        <translation>page</translation>
    </message>
    <message>
        <source>the image</source>
        <translation>l’image</translation>
    </message>
    <message>
        <source>Read %1</source>
        <translation>Lire %1</translation>
    </message>
</context>
<context>
    <name>pollard::vm::RegionViewModel</name>
    <message>
        <source>%1 × %2 px</source>
        <translation>%1 × %2 px</translation>
    </message>
    <message>
        <source>counting…</source>
        <translation>comptage…</translation>
    </message>
    <message>
        <source>No pixel</source>
        <translation>Aucun pixel</translation>
    </message>
    <message>
        <source>not applied: the tree was not built</source>
        <translation>pas appliqué : l&apos;arbre n&apos;a pas été construit</translation>
    </message>
    <message>
        <source>%1 px (%2 %)</source>
        <translation>%1 px (%2 %)</translation>
    </message>
    <message>
        <source>Rectangle %1</source>
        <translation>Rectangle %1</translation>
    </message>
    <message>
        <source>Ellipse %1</source>
        <translation>Ellipse %1</translation>
    </message>
    <message>
        <source>Polygon %1</source>
        <translation>Polygone %1</translation>
    </message>
    <message>
        <source>The positions were read as pixels; the dialog has longitude and latitude as another kind of file</source>
        <translation>Les positions ont été lues comme des pixels ; la longitude et la latitude sont un autre type de fichier de la boîte de dialogue</translation>
    </message>
</context>
<context>
    <name>pollard::vm::ReportExport</name>
    <message>
        <source>The report was not saved</source>
        <translation>Le rapport n&apos;a pas été enregistré</translation>
    </message>
</context>
<context>
    <name>pollard::vm::ResultSteps</name>
    <message>
        <source>The tracks are missing: pollard-cli track follows objects.</source>
        <translation>Les trajectoires manquent : pollard-cli track suit les objets.</translation>
    </message>
    <message>
        <source>The classes of objects are missing: pollard-cli components --class finds them.</source>
        <translation>Les classes d&apos;objets manquent : pollard-cli components --class les trouve.</translation>
    </message>
    <message>
        <source>One run of contours is missing: only the current run is here.</source>
        <translation>Une évolution de contours manque : seule l&apos;évolution actuelle est ici.</translation>
    </message>
    <message>
        <source>%1 runs of contours are missing: only the current run is here.</source>
        <translation>%1 évolutions de contours manquent : seule l&apos;évolution actuelle est ici.</translation>
    </message>
    <message>
        <source>none</source>
        <translation>aucun</translation>
    </message>
    <message>
        <source>levels %1 to %2</source>
        <translation>niveaux %1 à %2</translation>
    </message>
    <message>
        <source>%1, dark</source>
        <translation>%1, sombre</translation>
    </message>
    <message>
        <source>Objects: %1; files: %2</source>
        <translation>Objets : %1 ; fichiers : %2</translation>
    </message>
    <message>
        <source>Contours from objects</source>
        <translation>Contours à partir d&apos;objets</translation>
    </message>
    <message>
        <source>Contour</source>
        <translation>Contour</translation>
    </message>
    <message>
        <source>%1 contours</source>
        <translation>%1 contours</translation>
    </message>
    <message>
        <source>%1: %2; files: %3</source>
        <translation>%1 : %2 ; fichiers : %3</translation>
    </message>
    <message>
        <source>The contours of this recipe evolve on the filtered image; the contours of the window evolve on the original.</source>
        <translation>Les contours de cette recette évoluent sur l&apos;image filtrée ; ceux de la fenêtre sur l&apos;image d&apos;origine.</translation>
    </message>
    <message>
        <source>This recipe finds objects in another region than it filters; the window has one region.</source>
        <translation>Cette recette trouve des objets dans une autre région que celle qu&apos;elle filtre ; la fenêtre n&apos;a qu&apos;une région.</translation>
    </message>
    <message>
        <source>This recipe finds objects before it filters; the window finds them afterwards.</source>
        <translation>Cette recette trouve des objets avant de filtrer ; la fenêtre les trouve après.</translation>
    </message>
    <message>
        <source>This recipe has several steps of objects or contours; the window has one of each.</source>
        <translation>Cette recette a plusieurs étapes d&apos;objets ou de contours ; la fenêtre en a une de chaque.</translation>
    </message>
    <message>
        <source>recipe step</source>
        <translation>étape de la recette</translation>
    </message>
    <message>
        <source>recipe</source>
        <translation>recette</translation>
    </message>
    <message>
        <source>The condition is for pixels of another size than in this image.</source>
        <translation>La condition vaut pour des pixels d&apos;une autre taille que ceux de cette image.</translation>
    </message>
    <message>
        <source>The forbidden pixels of the contour are not in the recipe, which is unchanged: %1.</source>
        <translation>Les pixels interdits du contour ne sont pas dans la recette, qui est inchangée : %1.</translation>
    </message>
    <message>
        <source>The numbers of the condition are in %1, but this image is not measured in that unit.</source>
        <translation>Les nombres de la condition sont en %1, mais cette image n&apos;est pas mesurée dans cette unité.</translation>
    </message>
    <message>
        <source>values %1</source>
        <translation>valeurs %1</translation>
    </message>
    <message>
        <source>%1 sigma below the background, boxes of %2 px</source>
        <translation>%1 sigma au-dessous du fond, boîtes de %2 px</translation>
    </message>
    <message>
        <source>%1 sigma above the background, boxes of %2 px</source>
        <translation>%1 sigma au-dessus du fond, boîtes de %2 px</translation>
    </message>
    <message>
        <source>best components, dark</source>
        <translation>meilleures composantes, sombres</translation>
    </message>
    <message>
        <source>best components</source>
        <translation>meilleures composantes</translation>
    </message>
    <message>
        <source>watershed, %1</source>
        <translation>partage des eaux, %1</translation>
    </message>
    <message>
        <source>hierarchy by %1</source>
        <translation>hiérarchie par %1</translation>
    </message>
    <message>
        <source>labels of %1</source>
        <translation>étiquettes de %1</translation>
    </message>
</context>
<context>
    <name>pollard::vm::RulesViewModel</name>
    <message>
        <source>Filtering …</source>
        <translation>Filtrage…</translation>
    </message>
    <message>
        <source>The filter is off: all components are kept under every rule</source>
        <translation>Le filtre est désactivé : chaque règle garde toutes les composantes</translation>
    </message>
    <message>
        <source>There is no criterion: all components are kept under every rule</source>
        <translation>Il n’y a pas de critère : chaque règle garde toutes les composantes</translation>
    </message>
    <message>
        <source>Nodes kept and pixels changed under each rule</source>
        <translation>Nœuds gardés et pixels modifiés par chaque règle</translation>
    </message>
    <message>
        <source>%1: the root does not meet the criteria</source>
        <translation>%1 : la racine ne remplit pas les critères</translation>
    </message>
    <message>
        <source>Same as %1</source>
        <translation>Comme %1</translation>
    </message>
    <message>
        <source>Nodes: %1</source>
        <translation>Nœuds : %1</translation>
    </message>
    <message>
        <source>Pixels: %1</source>
        <translation>Pixels : %1</translation>
    </message>
    <message>
        <source>Nodes kept: %1 of %2; pixels changed: %3 of %4</source>
        <translation>Nœuds gardés : %1 sur %2 ; pixels modifiés : %3 sur %4</translation>
    </message>
    <message>
        <source>The image is the same as under %1, in every pixel</source>
        <translation>L’image est la même que selon %1, en chaque pixel</translation>
    </message>
</context>
<context>
    <name>pollard::vm::SampleList</name>
    <message>
        <source>Coins</source>
        <translation>Pièces de monnaie</translation>
    </message>
    <message>
        <source>Count and measure</source>
        <translation>Compter et mesurer</translation>
    </message>
    <message>
        <source>Cells</source>
        <translation>Cellules</translation>
    </message>
    <message>
        <source>Remove uneven light</source>
        <translation>Corriger l&apos;éclairage inégal</translation>
    </message>
    <message>
        <source>Nuts and screws</source>
        <translation>Écrous et vis</translation>
    </message>
    <message>
        <source>Select by shape</source>
        <translation>Choisir selon la forme</translation>
    </message>
    <message>
        <source>Retina</source>
        <translation>Rétine</translation>
    </message>
    <message>
        <source>Find long structures</source>
        <translation>Trouver des structures longues</translation>
    </message>
    <message>
        <source>Deep field</source>
        <translation>Champ profond</translation>
    </message>
    <message>
        <source>Find faint sources</source>
        <translation>Trouver des sources faibles</translation>
    </message>
    <message>
        <source>City lights</source>
        <translation>Lumières des villes</translation>
    </message>
    <message>
        <source>Find small bright spots</source>
        <translation>Trouver de petits points clairs</translation>
    </message>
    <message>
        <source>Page</source>
        <translation>Page</translation>
    </message>
    <message>
        <source>Extract text</source>
        <translation>Extraire le texte</translation>
    </message>
    <message>
        <source>Cell</source>
        <translation>Cellule</translation>
    </message>
    <message>
        <source>Outline an object</source>
        <translation>Délimiter un objet</translation>
    </message>
    <message>
        <source>Head</source>
        <translation>Tête</translation>
    </message>
    <message>
        <source>Filter a volume</source>
        <translation>Filtrer un volume</translation>
    </message>
</context>
<context>
    <name>pollard::vm::ScoreErrorModel</name>
    <message>
        <source>Error</source>
        <translation>Erreur</translation>
    </message>
    <message>
        <source>Missed, split and merged objects are of the truth, invented ones of the result</source>
        <translation>Les objets manqués, divisés et fusionnés sont ceux de la vérité, les objets inventés ceux du résultat</translation>
    </message>
    <message>
        <source>Number</source>
        <translation>Numéro</translation>
    </message>
    <message>
        <source>Number in the file of the truth; of an invented object in the table</source>
        <translation>Numéro dans le fichier de la vérité ; d’un objet inventé, numéro dans la table</translation>
    </message>
    <message>
        <source>Place (px)</source>
        <translation>Place (px)</translation>
    </message>
    <message>
        <source>Centroid of the object, px</source>
        <translation>Centre de gravité de l’objet, px</translation>
    </message>
    <message>
        <source>Overlap</source>
        <translation>Recouvrement</translation>
    </message>
    <message>
        <source>Largest overlap (intersection over union) with an object of the other image</source>
        <translation>Plus grand recouvrement (intersection sur union) avec un objet de l’autre image</translation>
    </message>
</context>
<context>
    <name>pollard::vm::ScoreViewModel</name>
    <message>
        <source>Missed</source>
        <translation>Manqué</translation>
    </message>
    <message>
        <source>Invented</source>
        <translation>Inventé</translation>
    </message>
    <message>
        <source>Split</source>
        <translation>Divisé</translation>
    </message>
    <message>
        <source>Merged</source>
        <translation>Fusionné</translation>
    </message>
    <message>
        <source>Matched</source>
        <translation>Apparié</translation>
    </message>
</context>
<context>
    <name>pollard::vm::SelectionSummary</name>
    <message>
        <source>Sum</source>
        <translation>Somme</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>Moyenne</translation>
    </message>
    <message>
        <source>Standard deviation</source>
        <translation>Écart type</translation>
    </message>
    <message>
        <source>Median</source>
        <translation>Médiane</translation>
    </message>
    <message>
        <source>Smallest</source>
        <translation>Plus petite</translation>
    </message>
    <message>
        <source>Largest</source>
        <translation>Plus grande</translation>
    </message>
    <message>
        <source>Without a value</source>
        <translation>Sans valeur</translation>
    </message>
</context>
<context>
    <name>pollard::vm::SessionAutosave</name>
    <message>
        <source>The session is not kept for recovery after a crash</source>
        <translation>La session n&apos;est pas conservée pour une récupération après un plantage</translation>
    </message>
</context>
<context>
    <name>pollard::vm::SessionViewModel</name>
    <message>
        <source>The session was not saved</source>
        <translation>La session n&apos;a pas été enregistrée</translation>
    </message>
    <message>
        <source>The session was not opened</source>
        <translation>La session n&apos;a pas été ouverte</translation>
    </message>
    <message>
        <source>The session is for another part or size of the image, and was not applied.</source>
        <translation>La session concerne une autre partie ou taille de l&apos;image, et n&apos;a pas été appliquée.</translation>
    </message>
    <message>
        <source>The image has changed since the session was saved.</source>
        <translation>L&apos;image a changé depuis l&apos;enregistrement de la session.</translation>
    </message>
    <message>
        <source>There is not enough memory for it.</source>
        <translation>La mémoire n&apos;y suffit pas.</translation>
    </message>
    <message>
        <source>The edited objects are of an image of another size, and were not applied.</source>
        <translation>Les objets modifiés sont d’une image d’une autre taille et n’ont pas été repris.</translation>
    </message>
</context>
<context>
    <name>pollard::vm::SettingsViewModel</name>
    <message>
        <source>As the system</source>
        <translation>Comme le système</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Clair</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Sombre</translation>
    </message>
    <message>
        <source>High contrast</source>
        <translation>Contraste élevé</translation>
    </message>
</context>
<context>
    <name>pollard::vm::SpectrumViewModel</name>
    <message numerus="yes">
        <source>%1 ≤ %2 %3 %4%5: %6 of the grey mass, %n node(s); %7 up to here</source>
        <translation>
            <numerusform>%1 ≤ %2 %3 %4%5 : %6 de la masse de gris, %n nœud ; %7 jusqu&apos;ici</numerusform>
            <numerusform>%1 ≤ %2 %3 %4%5 : %6 de la masse de gris, %n nœuds ; %7 jusqu&apos;ici</numerusform>
        </translation>
    </message>
    <message>
        <source>1 node with %1 of the grey mass has no bin</source>
        <translation>1 nœud avec %1 de la masse de gris n&apos;a pas de classe</translation>
    </message>
    <message>
        <source>%1 nodes with %2 of the grey mass have no bin</source>
        <translation>%1 nœuds avec %2 de la masse de gris n&apos;ont pas de classe</translation>
    </message>
</context>
<context>
    <name>pollard::vm::StackViewModel</name>
    <message>
        <source>Channel</source>
        <translation>Canal</translation>
    </message>
    <message>
        <source>Z</source>
        <translation>Z</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Temps</translation>
    </message>
    <message>
        <source>Page</source>
        <translation>Page</translation>
    </message>
    <message>
        <source>%1 pages</source>
        <translation>%1 pages</translation>
    </message>
    <message>
        <source>%1 channels</source>
        <translation>%1 canaux</translation>
    </message>
    <message>
        <source>%1 z</source>
        <translation>%1 z</translation>
    </message>
    <message>
        <source>%1 times</source>
        <translation>%1 temps</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
</context>
<context>
    <name>pollard::vm::StainPicks</name>
    <message>
        <source>Stain %1: the place is hardly darker than the background</source>
        <translation>Coloration %1 : l&apos;endroit est à peine plus sombre que le fond</translation>
    </message>
    <message>
        <source>Both places have the same colour</source>
        <translation>Les deux endroits ont la même couleur</translation>
    </message>
</context>
<context>
    <name>pollard::vm::StaleFilter</name>
    <message>
        <source>Filters of %1 still applied, one after another</source>
        <translation>Filtres de %1 encore appliqués, l&apos;un après l&apos;autre</translation>
    </message>
    <message>
        <source>Filter of %1 still applied: %2 of %3 components kept</source>
        <translation>Filtre de %1 encore appliqué : %2 composantes gardées sur %3</translation>
    </message>
    <message>
        <source>Filter of %1 cleared for another kind of image</source>
        <translation>Filtre de %1 effacé pour une image d&apos;un autre genre</translation>
    </message>
</context>
<context>
    <name>pollard::vm::StoredSessions</name>
    <message>
        <source>There is not enough memory for it.</source>
        <translation>Il n&apos;y a pas assez de mémoire pour cela.</translation>
    </message>
    <message>
        <source>The kept work was not opened</source>
        <translation>Le travail conservé n&apos;a pas été ouvert</translation>
    </message>
    <message>
        <source>%1 does not exist.</source>
        <translation>%1 n&apos;existe pas.</translation>
    </message>
    <message>
        <source>Another window continues it.</source>
        <translation>Une autre fenêtre l&apos;utilise.</translation>
    </message>
</context>
<context>
    <name>pollard::vm::TableUnit</name>
    <message>
        <source>The distance between the slices is unknown.</source>
        <translation>La distance entre les coupes est inconnue.</translation>
    </message>
    <message>
        <source>The pixels of this image are not square.</source>
        <translation>Les pixels de cette image ne sont pas carrés.</translation>
    </message>
    <message>
        <source>The file states the size of a pixel in print, but not in the scene.</source>
        <translation>Le fichier indique la taille d&apos;un pixel à l&apos;impression, mais pas dans la scène.</translation>
    </message>
    <message>
        <source>The size of a pixel is given in %1, which is no unit of length.</source>
        <translation>La taille d&apos;un pixel est donnée en %1, qui n&apos;est pas une unité de longueur.</translation>
    </message>
    <message>
        <source>The size of a pixel is unknown; set it in the Image panel.</source>
        <translation>La taille d&apos;un pixel est inconnue ; indiquez-la dans le panneau Image.</translation>
    </message>
</context>
<context>
    <name>pollard::vm::TrackTableModel</name>
    <message>
        <source>Track</source>
        <translation>Trajectoire</translation>
    </message>
    <message>
        <source>First page</source>
        <translation>Première page</translation>
    </message>
    <message>
        <source>Last page</source>
        <translation>Dernière page</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>Pages</translation>
    </message>
    <message>
        <source>Begins by</source>
        <translation>Commence par</translation>
    </message>
    <message>
        <source>Ends by</source>
        <translation>Finit par</translation>
    </message>
    <message>
        <source>Displacement (%1)</source>
        <translation>Déplacement (%1)</translation>
    </message>
    <message>
        <source>Path (%1)</source>
        <translation>Parcours (%1)</translation>
    </message>
    <message>
        <source>birth</source>
        <translation>naissance</translation>
    </message>
    <message>
        <source>split from %1</source>
        <translation>division de %1</translation>
    </message>
    <message>
        <source>death</source>
        <translation>mort</translation>
    </message>
    <message>
        <source>merge into %1</source>
        <translation>fusion dans %1</translation>
    </message>
    <message>
        <source>First time</source>
        <translation>Premier temps</translation>
    </message>
    <message>
        <source>First slice</source>
        <translation>Première coupe</translation>
    </message>
    <message>
        <source>Last time</source>
        <translation>Dernier temps</translation>
    </message>
    <message>
        <source>Last slice</source>
        <translation>Dernière coupe</translation>
    </message>
    <message>
        <source>Times</source>
        <translation>Temps</translation>
    </message>
    <message>
        <source>Slices</source>
        <translation>Coupes</translation>
    </message>
</context>
<context>
    <name>pollard::vm::TreeExport</name>
    <message>
        <source>The tree was not saved</source>
        <translation>L&apos;arbre n&apos;a pas été enregistré</translation>
    </message>
</context>
<context>
    <name>pollard::vm::TreeTableExport</name>
    <message>
        <source>The tree has changed before all attributes were measured</source>
        <translation>L&apos;arbre a changé avant que tous les attributs soient mesurés</translation>
    </message>
    <message>
        <source>The table was not saved</source>
        <translation>Le tableau n&apos;a pas été enregistré</translation>
    </message>
</context>
<context>
    <name>pollard::vm::TuneViewModel</name>
    <message>
        <source>tuned numbers</source>
        <translation>nombres réglés</translation>
    </message>
    <message>
        <source>The recipe has changed since. Try the values again.</source>
        <translation>La recette a changé depuis. Essayer de nouveau les valeurs.</translation>
    </message>
</context>
<context>
    <name>pollard::vm::ValueRangeViewModel</name>
    <message>
        <source>%1 to %2</source>
        <translation>de %1 à %2</translation>
    </message>
    <message>
        <source>0 = %1, %2 = %3</source>
        <translation>0 = %1, %2 = %3</translation>
    </message>
    <message>
        <source>%1 (every value has its own)</source>
        <translation>%1 (chaque valeur a le sien)</translation>
    </message>
    <message>
        <source>%1 (one level is %2)</source>
        <translation>%1 (un niveau vaut %2)</translation>
    </message>
    <message>
        <source>%1 no number (NaN)</source>
        <translation>%1 pas des nombres (NaN)</translation>
    </message>
    <message>
        <source>%1 infinite</source>
        <translation>%1 infinis</translation>
    </message>
    <message>
        <source>%1 clipped</source>
        <translation>%1 écrêtés</translation>
    </message>
    <message>
        <source>ranks: every value has its own level</source>
        <translation>rangs : chaque valeur a son propre niveau</translation>
    </message>
</context>
</TS>
